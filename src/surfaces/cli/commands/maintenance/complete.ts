import { resolve } from 'node:path';
import type { Command, Option } from 'commander';
import { clients } from '../../../../platform/clients/index.ts';
import { withClient } from '../../hub-access/with-client.ts';
import type { Invocation } from '../../invocation.ts';
import { firstLine } from '../../render/layout.ts';
import { type Candidate, finderOf } from './completion-values.ts';

type Values = readonly Candidate[] | ':files' | ':folders';

const FILES = new Set(['file', 'files', '--output', '--config', '--system-prompt-file']);

/** Completes the last word of a command line, which may be empty. */
export async function completeLine(call: Invocation, program: Command, line: string): Promise<string[]> {
  const [, ...words] = splitWords(line);
  const current = words.pop() ?? '';
  const at = locate(program, words);
  const values = await valuesAt(call, at, current);
  if (typeof values === 'string') return [values];
  const start =
    current.startsWith('--') && current.includes('=') ? current.slice(0, current.indexOf('=') + 1) : '';
  return values
    .filter(({ value }) => (start + value).startsWith(current))
    .map(({ value, about = '' }) => `${start}${value}\t${firstLine(about, 60)}`);
}

interface Place {
  command: Command;
  path: string;
  /** Arguments that are complete. */
  given: string[];
  /** The option whose value comes next. */
  option: Option | undefined;
  folder: string | undefined;
}

function locate(program: Command, words: readonly string[]): Place {
  const place: Place = { command: program, path: '', given: [], option: undefined, folder: undefined };
  for (const word of words) {
    if (place.option) {
      if (place.option.long === '--workspace') place.folder = word;
      place.option = undefined;
      continue;
    }
    if (word.startsWith('-')) {
      const option = optionsOf(place.command).find(({ long, short }) => long === word || short === word);
      if (option && (option.required || option.optional)) place.option = option;
      continue;
    }
    const child = place.command.commands.find((one) => one.name() === word || one.aliases().includes(word));
    if (child && place.given.length === 0) {
      place.command = child;
      place.path = `${place.path} ${child.name()}`.trim();
    } else place.given.push(word);
  }
  return place;
}

function optionsOf(command: Command): Option[] {
  const own = command.options.filter(({ hidden, long }) => !hidden && long !== '--version');
  return command.parent ? [...own, ...optionsOf(command.parent)] : own;
}

async function valuesAt(call: Invocation, place: Place, current: string): Promise<Values> {
  const { command, given, option } = place;
  const [, flag = ''] = /^(--[\w-]+)=/.exec(current) ?? [];
  const named = option ?? optionsOf(command).find(({ long }) => long === flag);
  if (named) return valuesOf(call, place, named.long ?? '', named.argChoices);
  if (current.startsWith('-')) {
    const help = { value: '--help', about: 'show help' };
    return [
      ...optionsOf(command).map(({ long, description }) => ({ value: long ?? '', about: description })),
      help,
    ];
  }
  const children = command.commands.filter((child) => !child.name().startsWith('__'));
  if (children.length > 0 && given.length === 0) {
    return children.map((child) => ({ value: child.name(), about: child.description() }));
  }
  const taken = command.registeredArguments;
  const argument = taken[given.length] ?? (taken.at(-1)?.variadic ? taken.at(-1) : undefined);
  return argument ? valuesOf(call, place, argument.name(), argument.argChoices) : [];
}

async function valuesOf(
  call: Invocation,
  { path, given, folder }: Place,
  name: string,
  choices: readonly string[] | undefined,
): Promise<Values> {
  if (choices) return choices.map((value) => ({ value }));
  if (FILES.has(name)) return ':files';
  if (name === '--workspace') return ':folders';
  if (name === 'client') return clients.map(({ id, title }) => ({ value: id, about: title }));
  const find = finderOf(path, name);
  if (!find) return [];
  const there = folder === undefined ? call : { ...call, folder: resolve(call.folder, folder) };
  return withClient(there, (client) => find(client, given));
}

/** As a shell would split the line, as far as quotes and backslashes go. */
function splitWords(line: string): string[] {
  const words = [''];
  let quote = '';
  for (let index = 0; index < line.length; index += 1) {
    const character = line.charAt(index);
    const last = words.length - 1;
    if (character === '\\' && quote !== "'") words[last] += line.charAt((index += 1));
    else if (quote !== '' ? character === quote : character === '"' || character === "'") {
      quote = quote === '' ? character : '';
    } else if (/\s/.test(character) && quote === '') words.push('');
    else words[last] += character;
  }
  // Several spaces between words are one.
  return words.filter((word, index) => word !== '' || index === words.length - 1);
}
