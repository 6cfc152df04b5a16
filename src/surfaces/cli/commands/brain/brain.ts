import type { BrainEntry } from '../../../../contract/brain.ts';
import type { ZooClient } from '../../../../contract/api.ts';
import { completeId } from '../../input/id-prefix.ts';
import { wrongUsage } from '../../output/failure.ts';
import { print, say } from '../../invocation.ts';
import type { Invocation } from '../../invocation.ts';
import { firstLine, indent, localTime } from '../../render/layout.ts';
import { renderTable } from '../../render/table.ts';
import { withClient } from '../../hub-access/with-client.ts';

export interface BrainListOptions {
  type?: BrainEntry['type'];
  tag?: string[];
  from?: string;
  to?: string;
  pinned?: boolean;
  search?: string;
  limit?: number;
}

export interface AddOptions {
  type: BrainEntry['type'];
  tag?: string[];
  pin?: true;
}

export interface ChangeOptions {
  content?: string;
  type?: BrainEntry['type'];
  tag?: string[];
  tags: boolean;
}

export async function listEntries(call: Invocation, agent: string, options: BrainListOptions): Promise<void> {
  const { tag, from, to, search, ...rest } = options;
  for (const [option, day] of [
    ['--from', from],
    ['--to', to],
  ] as const) {
    if (day !== undefined && !/^\d{4}-\d\d-\d\d$/.test(day))
      throw wrongUsage(`${option} must be a day such as 2026-11-15, not '${day}'`);
  }
  const filter = {
    ...rest,
    ...(tag === undefined ? {} : { tags: tag }),
    ...(from === undefined ? {} : { dateFrom: from }),
    ...(to === undefined ? {} : { dateTo: to }),
    ...(search === undefined ? {} : { q: search }),
  };
  const found = await withClient(call, (client) => client.call('queryBrain', { id: agent, ...filter }));
  print(call, found, () =>
    renderTable(
      found.entries.map((entry) => [
        // The start of an id is enough for every command.
        { text: call.columns === Infinity ? entry.id : entry.id.slice(0, 8), style: 'bold' },
        localTime(entry.timestamp),
        entry.type,
        `${entry.pinned ? '[pinned] ' : ''}${firstLine(entry.content, 200)}`,
        renderTags(entry),
      ]),
      call,
      {
        gap: 2,
        columns: [{ max: Infinity }, { optional: true }, {}, { min: 16, max: 60 }, { optional: true }],
      },
    ).join('\n'),
  );
  if (call.json) return;
  if (found.entries.length === 0)
    say(call, `${agent} has no ${Object.keys(filter).length > 0 ? 'matching ' : ''}entries.`);
  else if (found.total > found.entries.length) say(call, `… and ${found.total - found.entries.length} more`);
}

export async function showEntry(call: Invocation, agent: string, start: string): Promise<void> {
  const entry = await withEntry(call, agent, start, (client, entryId) =>
    client.call('getBrainEntry', { id: agent, entryId }),
  );
  print(call, entry, () => renderEntry(entry));
}

export async function addEntry(
  call: Invocation,
  agent: string,
  content: string | undefined,
  { type, tag, pin }: AddOptions,
): Promise<void> {
  if (content === undefined && call.terminal.asker) {
    throw wrongUsage('the entry needs content', `zoo brain add ${agent} "We deploy on Fridays"`);
  }
  const text = await contentOf(call, content ?? '-');
  const entry = await withClient(call, (client) =>
    client.call('createBrainEntry', {
      id: agent,
      body: {
        type,
        content: text,
        ...(tag === undefined ? {} : { tags: tag }),
        ...(pin ? { pinned: true } : {}),
      },
    }),
  );
  print(call, entry, () => `Added ${entry.id}${entry.pinned ? ', pinned' : ''}`);
}

export async function changeEntry(
  call: Invocation,
  agent: string,
  start: string,
  options: ChangeOptions,
): Promise<void> {
  const { content, type, tag, tags } = options;
  if (tag !== undefined && !tags) throw wrongUsage('use --tag or --no-tags, not both');
  const body = {
    ...(content === undefined ? {} : { content: await contentOf(call, content) }),
    ...(type === undefined ? {} : { type }),
    ...(tag === undefined ? {} : { tags: tag }),
    ...(tags ? {} : { tags: [] }),
  };
  if (Object.keys(body).length === 0)
    throw wrongUsage('nothing to change', 'add --content, --type, --tag or --no-tags');
  const entry = await withEntry(call, agent, start, (client, entryId) =>
    client.call('patchBrainEntry', { id: agent, entryId, body }),
  );
  print(call, entry, () => renderEntry(entry));
}

export async function removeEntry(call: Invocation, agent: string, start: string): Promise<void> {
  const deleted = await withEntry(call, agent, start, async (client, entryId) => {
    await client.call('deleteBrainEntry', { id: agent, entryId });
    return entryId;
  });
  print(call, { deleted }, () => `Deleted ${deleted}`);
  if (!call.json) say(call, `Undo: zoo brain undelete ${agent} ${deleted}`);
}

export async function undeleteEntry(call: Invocation, agent: string, entryId: string): Promise<void> {
  const entry = await withClient(call, (client) => client.call('undeleteBrainEntry', { id: agent, entryId }));
  print(call, entry, () => `Restored ${entry.id}`);
}

export async function pinEntry(
  call: Invocation,
  agent: string,
  start: string,
  pinned: boolean,
): Promise<void> {
  const entry = await withEntry(call, agent, start, (client, entryId) =>
    client.call('pinBrainEntry', { id: agent, entryId, body: { pinned } }),
  );
  print(call, entry, () =>
    pinned ? `Pinned ${entry.id}\nIt goes into every prompt of ${agent}.` : `Unpinned ${entry.id}`,
  );
}

/** Calls with the entry whose id has this prefix; the hub reports an id that matches none. */
async function withEntry<T>(
  call: Invocation,
  agent: string,
  start: string,
  work: (client: ZooClient, entryId: string) => Promise<T>,
): Promise<T> {
  return withClient(call, async (client) => {
    const { entries } = await client.call('queryBrain', { id: agent });
    const ids = entries.map(({ id }) => id);
    return work(client, completeId(start, ids, 'entries'));
  });
}

async function contentOf(call: Invocation, content: string): Promise<string> {
  return content === '-' ? (await call.terminal.readInput()).trimEnd() : content;
}

function renderTags({ tags }: BrainEntry): string {
  return tags.map((tag) => `#${tag}`).join(' ');
}

function renderEntry(entry: BrainEntry): string {
  const facts = [
    [entry.id, entry.type, localTime(entry.timestamp), ...(entry.pinned ? ['pinned'] : [])].join('  '),
    ...(entry.tags.length > 0 ? [renderTags(entry)] : []),
    `from ${entry.metadata.source}`,
  ];
  return `${facts.join('\n')}\n\n${indent(entry.content)}`;
}
