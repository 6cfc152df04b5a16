import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AgentId } from '../../../../contract/agent.ts';
import { findConfig } from '../../../../platform/config/config.ts';
import { codeOf } from '../../../../platform/files/text-file.ts';
import { withClient } from '../../hub-access/with-client.ts';
import { Failure, wrongUsage } from '../../output/failure.ts';
import { print, say } from '../../invocation.ts';
import type { Invocation } from '../../invocation.ts';
import { indent, shortPath } from '../../render/layout.ts';
import { type AgentLanguage, scaffoldAgent } from './scaffolds/agent.ts';
import { scaffoldConnector } from './scaffolds/connector.ts';
import type { Scaffold } from './scaffolds/scaffold.ts';
import { scaffoldTool } from './scaffolds/tool.ts';

export async function initAgent(
  call: Invocation,
  name: string,
  { lang }: { lang: AgentLanguage },
): Promise<void> {
  const checked = AgentId.safeParse(name);
  if (!checked.success) {
    throw wrongUsage(
      `'${name}' is not a valid agent id: it ${checked.error.issues[0]?.message ?? 'is malformed'}`,
    );
  }
  const config = await configOf(call);
  // Without a config, only Claude Code's folder is read.
  const scaffold = scaffoldAgent(name, lang, config ? 'agents' : '.claude/agents');
  if (lang === 'toml' && config) return report(call, { ...scaffold, created: null, configFile: config });
  await create(call, config, scaffold, `zoo agent test ${name}`);
}

export async function initTool(call: Invocation, name: string): Promise<void> {
  await create(
    call,
    await configOf(call),
    scaffoldTool(fileName(name)),
    `zoo tool test ${name} --arg text="one two"`,
  );
}

export async function initConnector(call: Invocation, name: string): Promise<void> {
  await create(call, await configOf(call), scaffoldConnector(fileName(name)), `zoo connector test ${name}`);
}

function fileName(name: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(name)) return name;
  throw wrongUsage(`'${name}' is not a valid name: use 1 to 64 letters, digits, '-' and '_'`);
}

async function configOf({ config, folder }: Invocation): Promise<string | null> {
  return config ?? findConfig(folder);
}

interface Created extends Scaffold {
  created: string | null;
  configFile: string | null;
  next?: string;
}

async function create(
  call: Invocation,
  configFile: string | null,
  scaffold: Scaffold,
  next: string,
): Promise<void> {
  const created = join(configFile === null ? call.folder : dirname(configFile), scaffold.path);
  try {
    await withTrustKept(call, async () => {
      await mkdir(dirname(created), { recursive: true });
      await writeFile(created, scaffold.text, { flag: 'wx' });
    });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    throw new Failure(`${shortPath(created, call.folder)} already exists; it was not changed`, {
      code: 'already_exists',
      hints: ['choose another name, or remove the file first'],
    });
  }
  report(call, { ...scaffold, created, configFile, next });
}

/** A template beside approved scripts counts as a change of theirs; it is ours, so the approval is renewed. */
async function withTrustKept(call: Invocation, write: () => Promise<void>): Promise<void> {
  await withClient(call, async (client) => {
    const { state } = await client.call('getTrust', {});
    await write();
    if (state !== 'trusted') return;
    const { hash } = await client.call('getTrust', {});
    await client.call('approveTrust', { body: { hash } });
  });
}

/** Seed 002 §9.3. */
function report(call: Invocation, { created, configFile, config, next, path }: Created): void {
  const own = path === 'zoo.toml' && created !== null;
  print(call, { created, config: own ? '' : config, configFile }, () =>
    [
      ...(created === null ? [] : [`Created: ${shortPath(created, call.folder)}`]),
      ...(config === '' || own ? [] : [`Add to config:\n\n${indent(config)}`]),
    ].join('\n'),
  );
  if (call.json) return;
  if (config !== '' && configFile === null && !own)
    say(call, 'There is no config yet: put these lines into a new zoo.toml.');
  if (config !== '' && !path.endsWith('.toml')) say(call, 'Then approve it: zoo trust');
  if (next !== undefined) say(call, `Then run: ${next}`);
}
