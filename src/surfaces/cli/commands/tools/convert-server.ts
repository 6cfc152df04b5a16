import { redact, redactText } from '../../../../platform/text/redact.ts';
import { isTable } from '../../clients/config/format.ts';
import type { Table } from '../../clients/config/format.ts';
import { textsOf, variablesOf } from '../../clients/standard-entry.ts';
import { convertReferences } from './convert-references.ts';

/** A server of another client as ours, or why it is none. */
export type Converted = { entry: Table; notes: string[] } | { skipped: string };

/** Keys that say nothing about how to reach a server, or that we take. */
const UNDERSTOOD = new Set(
  'command args env cwd url serverUrl httpUrl headers type transport disabled enabled name description'.split(
    ' ',
  ),
);
const OWN = new Set(['zoo', 'agent-zoo', 'ctx']);

/** Turns one entry of a client's list of servers into a `[tools.mcp.NAME]`. `secrets` is shared by all of them. */
export function convertServer(name: string, given: unknown, secrets: Map<string, string>): Converted {
  if (!isTable(given)) return { skipped: 'is not a table' };
  const url = [given['url'], given['serverUrl'], given['httpUrl']].find((each) => typeof each === 'string');
  const command = given['command'];
  if (isOwn(command, textsOf(given['args']))) return { skipped: 'is Agent Zoo itself' };
  const notes: string[] = [];
  const vault: Vault = { server: name, notes, secrets };
  const text = (value: string): string => convertReferences(value, notes);
  const off = given['disabled'] === true || given['enabled'] === false ? { disabled: true } : {};
  const dropped = Object.keys(given).filter((key) => !UNDERSTOOD.has(key));
  if (dropped.length > 0) notes.push(`not taken over: ${dropped.join(', ')}`);

  if (typeof url === 'string') {
    const headers = secretsToVariables(vault, convertAll(variablesOf(given['headers']), text), false);
    return {
      entry: { url: secretInUrl(vault, text(url)), ...some('headers', headers), ...off },
      notes,
    };
  }
  // Some clients write the whole command line as a list.
  const [program, ...rest] = Array.isArray(command) ? command.map(String) : [command];
  if (typeof program !== 'string') return { skipped: 'has neither a command nor a URL' };
  const args = secretArgs(vault, [...rest.map(String), ...textsOf(given['args'])].map(text));
  const env = secretsToVariables(vault, convertAll(variablesOf(given['env']), text), true);
  const { cwd } = given;
  return {
    entry: {
      command: text(program),
      ...(args.length > 0 && { args }),
      ...some('env', env),
      ...(typeof cwd === 'string' && { cwd: text(cwd) }),
      ...off,
    },
    notes,
  };
}

function isOwn(command: unknown, args: readonly string[]): boolean {
  const words = [...(Array.isArray(command) ? command.map(String) : [String(command)]), ...args];
  const at = words.findIndex((word) => OWN.has(baseName(word)));
  return at >= 0 && at < 4 && words[at + 1] === 'mcp';
}

const baseName = (word: string): string =>
  (word.split(/[\\/]/).at(-1) ?? word).replace(/\.(?:js|cmd|exe)$/i, '').replace(/@[\d.]+$/, '');

const some = (key: string, table: Record<string, string>): Table =>
  Object.keys(table).length > 0 ? { [key]: table } : {};

function convertAll(table: Record<string, string>, text: (value: string) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(table).map(([key, value]) => [key, text(value)]));
}

const hasReference = (text: string): boolean => text.includes('${');
const isSecretName = (name: string): boolean => redact({ [name]: 'value' })[name] === '[redacted]';

const upper = (text: string): string =>
  text
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .toUpperCase()
    .replace(/^(?=\d)/, '_');

/** Where secrets go: into variables, one for each that is different. */
interface Vault {
  server: string;
  notes: string[];
  /** What the variables stand for, in all servers. */
  secrets: Map<string, string>;
}

/** The name as it is where it is a variable's already and nobody else's; else with the server's in front. */
function keep({ server, notes, secrets }: Vault, key: string, secret: string, isVariable = false): string {
  const plain = upper(key);
  const free = (secrets.get(plain) ?? secret) === secret;
  const variable = isVariable && free ? plain : `${upper(server)}_${plain}`;
  secrets.set(variable, secret);
  notes.push(`a secret was left where it is: set ${variable} to it where the hub is started`);
  return `\${${variable}}`;
}

/** What was written out as a secret becomes a reference: a config is no place for one. */
function secretsToVariables(
  vault: Vault,
  table: Record<string, string>,
  areVariables: boolean,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(table).map(([key, value]) => {
      if (value === '' || hasReference(value)) return [key, value];
      const scheme = /^(Bearer|Basic|Token)\s+/i.exec(value)?.[0] ?? '';
      if (!isSecretName(key) && scheme === '' && redactText(value) === value) return [key, value];
      return [key, scheme + keep(vault, key, value.slice(scheme.length), areVariables)];
    }),
  );
}

const SECRET_FLAG = /^(--?[\w-]*(?:token|key|secret|password)[\w-]*)(?:=(.+))?$/i;

function secretArgs(vault: Vault, args: readonly string[]): string[] {
  return args.map((arg, index) => {
    if (hasReference(arg)) return arg;
    const [, flag, value] = SECRET_FLAG.exec(arg) ?? [];
    const [, before, taken] = SECRET_FLAG.exec(args[index - 1] ?? '') ?? [];
    if (flag !== undefined && value !== undefined) return `${flag}=${keep(vault, flag, value)}`;
    if (before === undefined || taken !== undefined || arg.startsWith('-')) return arg;
    return keep(vault, before, arg);
  });
}

function secretInUrl(vault: Vault, url: string): string {
  return url.replace(
    /([?&])((?:[\w-]*(?:token|key|secret))|code)=([^&#$]+)/gi,
    (_whole, mark: string, key: string, value: string) => `${mark}${key}=${keep(vault, key, value)}`,
  );
}
