import { type Command, InvalidArgumentError, Option } from 'commander';
import type { SearchMode } from '../../../../contract/knowledge.ts';
import type { GetOptions } from './get.ts';
import type { SearchOptions } from './search.ts';
import type { AddSourceOptions } from './sources-edit.ts';
import type { SyncCommandOptions } from './sync.ts';
import type { Declare, Start } from '../../command-declaration.ts';
import { collect, wholeNumber } from '../../input/option-values.ts';

const sourceTypes = ['folder', 'git', 'site'] as const satisfies readonly AddSourceOptions['type'][];
const modes = ['keyword', 'semantic', 'hybrid'] as const satisfies readonly SearchMode[];

export function addKnowledgeCommands(declare: Declare, start: Start): void {
  declare('search <query...>', 'search documents (- reads the query from standard input)', (command) => {
    command
      .addOption(new Option('--mode <mode>', 'keyword, semantic, or both').choices(modes))
      .option(
        '--source <source>',
        'only from this source: NAME, TYPE:NAME or TYPE (repeatable; any matches)',
        collect,
      )
      .option('--path <glob>', "only matching paths, such as 'runbooks/**' or '*.md'")
      .option('--since <when>', 'only documents changed since: a day, or an age such as 7d')
      .option('--until <when>', 'only documents changed until then')
      .option('--metadata <key=value>', 'only documents with this front matter (repeatable)', keyValue)
      .option('-n, --limit <count>', 'at most this many documents', wholeNumber)
      .option('--explain', 'explain the ranking')
      .action(async (query: string[], options: SearchOptions) => {
        await (await import('./search.ts')).searchDocuments(start(), query, options);
      });
  });
  declare('get <document>', 'print a document or part of it', (command) => {
    command
      .option('--lines <from-to>', 'only these lines, such as 10-40', lineRange)
      .option('--neighbours <count>', 'for a passage: include this many before and after it', count)
      .action(async (document: string, options: GetOptions) => {
        await (await import('./get.ts')).getDocument(start(), document, options);
      });
  });
  declare('sources', 'list, add and remove knowledge sources', (sources) => addSources(sources, start));
  declare('stats', 'show the size of the knowledge index', (command) => {
    command.action(async () => {
      await (await import('./sources.ts')).showStats(start());
    });
  });
  declare('sync [what]', 'sync documents: all sources, a TYPE, or TYPE:NAME', (command) => {
    command
      .option('--full', 're-read every document')
      .option('--dry-run', 'only show what would change')
      .option('--changes', 'list every changed document')
      .option('--watch', 'keep syncing until interrupted')
      .action(async (what: string | undefined, options: SyncCommandOptions) => {
        await (await import('./sync.ts')).syncSources(start(), what, options);
      });
  });
  declare('embed', 'embeddings for semantic search', (embed) => {
    embed
      .command('status')
      .description('show the embedding model and its coverage')
      .action(async () => {
        await (await import('./embed.ts')).showEmbedding(start());
      });
    embed
      .command('rebuild')
      .description('rebuild all embeddings')
      .option('--missing', 'only missing ones')
      .action(async (options: { missing?: true }) => {
        await (await import('./embed.ts')).rebuildEmbedding(start(), options);
      });
  });
}

function lineRange(value: string): { from: number; to?: number } {
  const [, from, dash, to] = /^([1-9]\d{0,8})(-)?([1-9]\d{0,8})?$/.exec(value) ?? [];
  if (from === undefined || (to !== undefined && Number(to) < Number(from))) {
    throw new InvalidArgumentError('It must be a line or a range, such as 10-40.');
  }
  if (dash === undefined) return { from: Number(from), to: Number(from) };
  return { from: Number(from), ...(to === undefined ? {} : { to: Number(to) }) };
}

function keyValue(value: string, previous: Record<string, string> | undefined): Record<string, string> {
  const [, key, said] = /^([^=]+)=(.*)$/s.exec(value) ?? [];
  if (key === undefined || said === undefined) {
    throw new InvalidArgumentError('It must be KEY=VALUE, such as status=accepted.');
  }
  return { ...previous, [key]: said };
}

function count(value: string): number {
  if (!/^\d{1,2}$/.test(value) || Number(value) > 50) {
    throw new InvalidArgumentError('It must be a number from 0 to 50.');
  }
  return Number(value);
}

function addSources(sources: Command, start: Start): void {
  sources
    .command('list', { isDefault: true })
    .description('list knowledge sources and their last sync')
    .action(async () => {
      await (await import('./sources.ts')).listSources(start());
    });
  sources
    .command('add <place>')
    .description('add a folder, a Git repository or a site to the config')
    .addOption(new Option('--type <type>', 'what it is, if the place does not say').choices(sourceTypes))
    .option('--name <name>', 'how agents and searches name it (default: the last word of the place)')
    .option('--include <glob>', 'only these files (repeatable)', collect, [])
    .option('--user', 'add it to your own config, for every folder')
    .option('--print', 'print the TOML instead of writing the config')
    .action(async (place: string, options: AddSourceOptions) => {
      await (await import('./sources-edit.ts')).addSource(start(), place, options);
    });
  sources
    .command('rm <source>')
    .description('remove a source, TYPE:NAME, from the config; its documents leave the index')
    .option('--user', 'remove it from your own config')
    .action(async (id: string, options: { user?: true }) => {
      await (await import('./sources-edit.ts')).removeSource(start(), id, options);
    });
}
