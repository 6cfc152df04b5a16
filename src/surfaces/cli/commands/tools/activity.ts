import { setTimeout as sleep } from 'node:timers/promises';
import type { ToolCallRecord } from '../../../../contract/activity.ts';
import type { ZooClient } from '../../../../contract/api.ts';
import { wrongUsage } from '../../output/failure.ts';
import { print, printLine, say } from '../../invocation.ts';
import type { Invocation } from '../../invocation.ts';
import { renderCalls } from '../../render/activity.ts';
import { withClient } from '../../hub-access/with-client.ts';

export interface ActivityOptions {
  agent?: string;
  tool?: string;
  client?: string;
  failed?: true;
  since?: string;
  limit?: number;
  follow?: true;
}

const POLL_MS = 500;
const MOST = 1000;

export async function showActivity(call: Invocation, options: ActivityOptions): Promise<void> {
  const { follow, since, limit, ...filter } = options;
  const from = since === undefined ? {} : { since: parseSince(since, new Date()) };
  const most = limit === undefined ? {} : { limit: Math.min(limit, MOST) };
  await withClient(call, async (client) => {
    const { calls } = await client.call('listActivity', { ...filter, ...from, ...most });
    if (follow) return followCalls(call, client, filter, calls);
    print(call, { calls }, () => renderCalls(calls, call));
    const filtered = since !== undefined || Object.keys(filter).length > 0;
    if (!call.json && calls.length === 0)
      say(call, filtered ? 'No matching tool calls.' : 'No tool calls yet.');
  });
}

/** Oldest first, so that new calls appear below; as JSON, one object per line. */
async function followCalls(
  call: Invocation,
  client: ZooClient,
  filter: Pick<ActivityOptions, 'agent' | 'tool' | 'client' | 'failed'>,
  before: readonly ToolCallRecord[],
): Promise<void> {
  const ended = new AbortController();
  const end = (): void => ended.abort();
  process.once('SIGINT', end).once('SIGTERM', end);
  const show = (record: ToolCallRecord): void => printLine(call, record, () => renderCalls([record], call));
  if (!call.json) say(call, 'Following calls; press Ctrl-C to stop.');
  for (const record of before.toReversed()) show(record);
  let after = before[0]?.seq ?? (await newest(client));
  while (!ended.signal.aborted) {
    const { calls } = await client.call('listActivity', { ...filter, after, limit: MOST });
    for (const record of calls) show(record);
    after = calls.at(-1)?.seq ?? after;
    await sleep(POLL_MS, undefined, { signal: ended.signal }).catch(() => undefined);
  }
}

async function newest(client: ZooClient): Promise<number> {
  return (await client.call('listActivity', { limit: 1 })).calls[0]?.seq ?? 0;
}

const UNITS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** `2h` ago, or an ISO 8601 date or time. */
function parseSince(text: string, now: Date): string {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (count !== undefined && (unit === 's' || unit === 'm' || unit === 'h' || unit === 'd')) {
    return new Date(now.getTime() - Number(count) * UNITS[unit]).toISOString();
  }
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) throw wrongUsage(`--since takes 30m, 2h, 7d or a date, not '${text}'`);
  return at.toISOString();
}
