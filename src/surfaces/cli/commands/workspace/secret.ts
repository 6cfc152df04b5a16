import { homeFiles, zooHome } from '../../../../platform/home/paths.ts';
import { ensurePrivateFolder } from '../../../../platform/home/private-folder.ts';
import { createSecretFiles, type SecretFiles } from '../../../../platform/home/secret-files.ts';
import { Failure, wrongUsage } from '../../output/failure.ts';
import { print, say } from '../../invocation.ts';
import type { Invocation } from '../../invocation.ts';

/** From standard input or the terminal, never from the command line, which other processes can read. */
export async function setSecret(call: Invocation, name: string): Promise<void> {
  checkName(name);
  const { asker, readInput } = call.terminal;
  const given = asker ? await asker.secret(`Value of ${name}`) : await readInput();
  const value = (given ?? '').replace(/\r?\n$/, '');
  if (value === '')
    throw wrongUsage(`the value of ${name} is empty`, 'pipe it in, or run this at a terminal');
  await secretsOf(call).write(name, value);
  print(call, { name }, () => `Saved ${name}\n`);
  if (!call.json) say(call, `Configs can use it as \${${name}}.`);
}

export async function listSecrets(call: Invocation): Promise<void> {
  const names = await secretsOf(call).list();
  print(call, { names }, () => names.map((name) => `${name}\n`).join(''));
  if (!call.json && names.length === 0) say(call, 'No secrets are stored. `zoo secret set NAME` stores one.');
}

export async function removeSecret(call: Invocation, name: string): Promise<void> {
  checkName(name);
  const secrets = secretsOf(call);
  if ((await secrets.read(name)) === null) {
    throw new Failure(`no secret '${name}' is stored`, {
      hints: ['`zoo secret list` lists the stored ones'],
    });
  }
  await secrets.remove(name);
  print(call, { name }, () => `Removed ${name}\n`);
}

function secretsOf({ env }: Invocation): SecretFiles {
  const home = zooHome(env);
  ensurePrivateFolder(home);
  return createSecretFiles(homeFiles(home).secrets);
}

function checkName(name: string): void {
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return;
  throw wrongUsage(
    `'${name}' is not the name of a variable: letters, digits and '_', not beginning with a digit`,
  );
}
