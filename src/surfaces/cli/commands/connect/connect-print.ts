import type { LaunchPatch } from '../../../../platform/clients/client.ts';
import { type EntryTarget, renderEntry } from '../../../../platform/clients/client-entry.ts';
import { withoutAbsent } from '../../../../platform/clients/own-launch.ts';
import { BrokenConfig } from '../../../../platform/config-edits/format.ts';
import { print, say } from '../../invocation.ts';
import type { Invocation } from '../../invocation.ts';
import { brokenFailure } from '../../output/broken-config.ts';
import { shortPath } from '../../render/layout.ts';

/** Prints the config that `zoo connect` would write; writes nothing. */
export async function printConnection(
  call: Invocation,
  target: EntryTarget,
  launch: LaunchPatch,
): Promise<void> {
  const { client, scope, file, name, agent, place } = target;
  const { snippet, link } = await renderEntry(target, launch).catch((error: unknown) => {
    throw error instanceof BrokenConfig ? brokenFailure(file, error) : error;
  });
  const set = withoutAbsent(launch);
  print(
    call,
    { client: client.id, scope, file, name, agent: agent ?? null, ...set, snippet, link },
    () => snippet,
  );
  if (call.json) return;
  say(call, `Add it to ${shortPath(file, call.folder, place.home)}`);
  if (link !== null) say(call, `One-click link: ${link}`);
}
