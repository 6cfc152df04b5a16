import type { LaunchPatch } from '../../clients/client.ts';
import { brokenFailure, loadConfig } from '../../clients/config/config-file.ts';
import { BrokenConfig } from '../../clients/config/format.ts';
import { withoutAbsent } from '../../clients/own-launch.ts';
import { print, say } from '../../invocation.ts';
import type { Invocation } from '../../invocation.ts';
import { shortPath } from '../../render/layout.ts';
import type { Target } from './connect-target.ts';

/** Prints the config that `zoo connect` would write; writes nothing. */
export async function printConnection(
  call: Invocation,
  { client, scope, file, name, agent, place }: Target,
  launch: LaunchPatch,
): Promise<void> {
  const config = await loadConfig(file)
    .then(({ text }) => client.format.parse(text))
    .catch((error: unknown) => {
      throw error instanceof BrokenConfig ? brokenFailure(file, error) : error;
    });
  const snippet = client.format.patch(
    '',
    [...client.serversPath(config), name],
    client.entry(launch, config),
  );
  const set = withoutAbsent(launch);
  const link = client.link?.(name, set) ?? null;
  print(
    call,
    { client: client.id, scope, file, name, agent: agent ?? null, ...set, snippet, link },
    () => snippet,
  );
  if (call.json) return;
  say(call, `Add it to ${shortPath(file, call.folder, place.home)}`);
  if (link !== null) say(call, `One-click link: ${link}`);
}
