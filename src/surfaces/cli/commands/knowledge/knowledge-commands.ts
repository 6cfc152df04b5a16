import { InvalidArgumentError, Option } from 'commander';
import type { SearchMode } from '../../../../contract/knowledge.ts';
import type { GetOptions } from './get.ts';
import type { SearchOptions } from './search.ts';
import type { SyncCommandOptions } from './sync.ts';
import type { Declare, Start } from '../../command-declaration.ts';
import { collect, wholeNumber } from '../../input/option-values.ts';

const modes = ['keyword', 'semantic', 'hybrid'] as const satisfies readonly SearchMode[];

export function addKnowledgeCommands(declare: Declare, start: Start): void {
  declare('search <query...>', 'search the documents of your sources', (command) => {
    command
      .addOption(new Option('--mode <mode>', 'by words, by meaning, or both').choices(modes))
      .option(
        '--source <source>',
        'only from this source: a name, TYPE:NAME or a type (repeat for any of several)',
        collect,
      )
      .option('--path <glob>', "only paths that match, such as 'runbooks/**' or '*.md'")
      .option('--since <when>', 'only what changed then or later: a day, or how long ago, such as 7d')
      .option('--until <when>', 'only what changed then or earlier')
      .option(
        '--metadata <key=value>',
        'only documents whose front matter says so (repeat for more)',
        keyValue,
      )
      .option('-n, --limit <count>', 'no more than this many documents', wholeNumber)
      .option('--explain', 'say how each result came to its place')
      .action(async (query: string[], options: SearchOptions) => {
        await (await import('./search.ts')).searchDocuments(start(), query.join(' '), options);
      });
  });
  declare('get <document>', 'print a document, or a part of it', (command) => {
    command
      .option('--lines <from-to>', 'only these lines, such as 10-40', lineRange)
      .option('--neighbours <count>', 'with a passage: so many more on either side', count)
      .action(async (document: string, options: GetOptions) => {
        await (await import('./get.ts')).getDocument(start(), document, options);
      });
  });
  declare('sources', 'show where documents come from, and how fresh they are', (command) => {
    command.action(async () => {
      await (await import('./sources.ts')).listSources(start());
    });
  });
  declare('stats', 'show how much there is to know', (command) => {
    command.action(async () => {
      await (await import('./sources.ts')).showStats(start());
    });
  });
  declare('sync [what]', 'bring documents up to date: all, a type, or TYPE:NAME', (command) => {
    command
      .option('--full', 'read every document again')
      .option('--dry-run', 'only say what would change')
      .option('--changes', 'say every document that changes, too')
      .option('--watch', 'go on with every change, until interrupted')
      .action(async (what: string | undefined, options: SyncCommandOptions) => {
        await (await import('./sync.ts')).syncSources(start(), what, options);
      });
  });
  declare('embed', 'vectors, for search by meaning', (embed) => {
    embed
      .command('status')
      .description('show what vectors are made with, and how many there are')
      .action(async () => {
        await (await import('./embed.ts')).showEmbedding(start());
      });
    embed
      .command('rebuild')
      .description('make all vectors anew')
      .option('--missing', 'only those that are missing')
      .action(async (options: { missing?: true }) => {
        await (await import('./embed.ts')).rebuildEmbedding(start(), options);
      });
  });
}

function lineRange(value: string): { from: number; to?: number } {
  const [, from, dash, to] = /^([1-9]\d{0,8})(-)?([1-9]\d{0,8})?$/.exec(value) ?? [];
  if (from === undefined || (to !== undefined && Number(to) < Number(from))) {
    throw new InvalidArgumentError('It must be a line, or two with a dash between them, such as 10-40.');
  }
  if (dash === undefined) return { from: Number(from), to: Number(from) };
  return { from: Number(from), ...(to === undefined ? {} : { to: Number(to) }) };
}

function keyValue(value: string, previous: Record<string, string> | undefined): Record<string, string> {
  const [, key, said] = /^([^=]+)=(.*)$/s.exec(value) ?? [];
  if (key === undefined || said === undefined) {
    throw new InvalidArgumentError('It must be a key and a value, such as status=accepted.');
  }
  return { ...previous, [key]: said };
}

function count(value: string): number {
  if (!/^\d{1,2}$/.test(value) || Number(value) > 50) {
    throw new InvalidArgumentError('It must be a number from 0 to 50.');
  }
  return Number(value);
}
