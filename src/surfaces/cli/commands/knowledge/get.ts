import { print, say } from '../../invocation.ts';
import type { Invocation } from '../../invocation.ts';
import { terminalLine } from '../../../../platform/text/terminal-text.ts';
import { localTime } from '../../render/layout.ts';
import { withClient } from '../../hub-access/with-client.ts';

export interface GetOptions {
  lines?: { from: number; to?: number };
  neighbours?: number;
}

/** In a pipe the text is written as it is, and nothing else. */
export async function getDocument(
  call: Invocation,
  id: string,
  { lines, neighbours }: GetOptions,
): Promise<void> {
  const document = await withClient(call, (client) =>
    client.call('getDocument', {
      id,
      ...(lines === undefined ? {} : { line_start: lines.from }),
      ...(lines?.to === undefined ? {} : { line_end: lines.to }),
      ...(neighbours === undefined ? {} : { neighbours }),
    }),
  );
  const {
    title,
    source,
    path,
    updated_at: changed,
    line_start: first,
    line_end: last,
    lines: all,
  } = document;
  if (!call.json && call.terminal.out.isTTY) {
    const part = first > 1 || last < all ? [`lines ${first}-${last} of ${all}`] : [];
    const facts = [source, path, ...(changed === null ? [] : [`changed ${localTime(changed)}`]), ...part];
    say(call, `${terminalLine(title)}\n${terminalLine(facts.join('  '))}\n\n`);
  }
  if (call.json) return print(call, document, () => '');
  call.terminal.out.verbatim(document.body.endsWith('\n') ? document.body : `${document.body}\n`);
}
