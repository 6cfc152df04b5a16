import { textsOf, variablesOf } from '../../../platform/clients/standard-entry.ts';
import { isTable, type Table } from '../../../platform/config-edits/format.ts';
import { convertReferences } from './convert-references.ts';
import { takeFromArgs, takeFromTable, takeFromText, type Vault } from './take-secrets.ts';

/** A server of another client in our form, or why it was skipped. */
export type Converted = { entry: Table; notes: string[] } | { skipped: string };

/** Keys that are converted, or that do not matter. */
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
  if (dropped.length > 0) notes.push(`not imported: ${dropped.join(', ')}`);

  if (typeof url === 'string') {
    const headers = takeFromTable(vault, convertAll(variablesOf(given['headers']), text), false);
    return {
      entry: { url: takeFromText(vault, text(url)), ...some('headers', headers), ...off },
      notes,
    };
  }
  // Some clients write the whole command line as a list.
  const [program, ...rest] = Array.isArray(command) ? command.map(String) : [command];
  if (typeof program !== 'string') return { skipped: 'has neither a command nor a URL' };
  const args = takeFromArgs(vault, [...rest.map(String), ...textsOf(given['args'])].map(text));
  const env = takeFromTable(vault, convertAll(variablesOf(given['env']), text), true);
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
