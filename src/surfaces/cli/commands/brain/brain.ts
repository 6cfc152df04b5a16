import type { BrainEntry } from '../../../../contract/brain.ts';
import { wrongUsage } from '../../output/failure.ts';
import { print, say } from '../../invocation.ts';
import type { Invocation } from '../../invocation.ts';
import { alignColumns, firstLine, indent, localTime } from '../../render/layout.ts';
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
  const filter = {
    ...rest,
    ...(tag === undefined ? {} : { tags: tag }),
    ...(from === undefined ? {} : { dateFrom: from }),
    ...(to === undefined ? {} : { dateTo: to }),
    ...(search === undefined ? {} : { q: search }),
  };
  const found = await withClient(call, (client) => client.call('queryBrain', { id: agent, ...filter }));
  print(call, found, () =>
    alignColumns(
      found.entries.map((entry) => [
        `  ${entry.id}`,
        localTime(entry.timestamp),
        entry.type,
        firstLine(entry.content, 60),
        [...(entry.pinned ? ['[pinned]'] : []), ...entry.tags.map((tag) => `#${tag}`)].join(' '),
      ]),
      [],
      2,
    ).join('\n'),
  );
  if (call.json) return;
  if (found.entries.length === 0)
    say(call, `${agent} remembers nothing${Object.keys(filter).length > 0 ? ' that fits' : ''}.`);
  else if (found.total > found.entries.length) say(call, `… and ${found.total - found.entries.length} more`);
}

export async function showEntry(call: Invocation, agent: string, entryId: string): Promise<void> {
  const entry = await withClient(call, (client) => client.call('getBrainEntry', { id: agent, entryId }));
  print(call, entry, () => renderEntry(entry));
}

export async function addEntry(
  call: Invocation,
  agent: string,
  content: string | undefined,
  { type, tag, pin }: AddOptions,
): Promise<void> {
  if (content === undefined && call.terminal.asker) {
    throw wrongUsage('there is nothing to remember', `zoo brain add ${agent} "We deploy on Fridays"`);
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
  print(call, entry, () => `Remembered ${entry.id}${entry.pinned ? ', pinned' : ''}`);
}

export async function changeEntry(
  call: Invocation,
  agent: string,
  entryId: string,
  options: ChangeOptions,
): Promise<void> {
  const { content, type, tag, tags } = options;
  const body = {
    ...(content === undefined ? {} : { content: await contentOf(call, content) }),
    ...(type === undefined ? {} : { type }),
    ...(tag === undefined ? {} : { tags: tag }),
    ...(tags ? {} : { tags: [] }),
  };
  if (Object.keys(body).length === 0)
    throw wrongUsage('nothing to change', 'use --content, --type, --tag or --no-tags');
  const entry = await withClient(call, (client) =>
    client.call('patchBrainEntry', { id: agent, entryId, body }),
  );
  print(call, entry, () => renderEntry(entry));
}

export async function removeEntry(call: Invocation, agent: string, entryId: string): Promise<void> {
  await withClient(call, (client) => client.call('deleteBrainEntry', { id: agent, entryId }));
  print(call, { deleted: entryId }, () => `Forgot ${entryId}`);
}

export async function pinEntry(
  call: Invocation,
  agent: string,
  entryId: string,
  pinned: boolean,
): Promise<void> {
  const entry = await withClient(call, (client) =>
    client.call('pinBrainEntry', { id: agent, entryId, body: { pinned } }),
  );
  print(call, entry, () =>
    pinned ? `Pinned ${entryId}: it is injected with ${agent}` : `Unpinned ${entryId}`,
  );
}

async function contentOf(call: Invocation, content: string): Promise<string> {
  return content === '-' ? (await call.terminal.readInput()).trimEnd() : content;
}

function renderEntry(entry: BrainEntry): string {
  const facts = [
    [entry.id, entry.type, localTime(entry.timestamp), ...(entry.pinned ? ['pinned'] : [])].join('  '),
    ...(entry.tags.length > 0 ? [entry.tags.map((tag) => `#${tag}`).join(' ')] : []),
    `from ${entry.metadata.source}`,
  ];
  return `${facts.join('\n')}\n\n${indent(entry.content)}`;
}
