import { Option } from 'commander';
import type { Command } from 'commander';
import type { BrainEntry } from '../../../../contract/brain.ts';
import type { AddOptions, BrainListOptions, ChangeOptions } from './brain.ts';
import type { Declare, Start } from '../../command-declaration.ts';
import { collect, wholeNumber } from '../../input/option-values.ts';

const types = ['decision', 'milestone', 'note', 'summary'] as const satisfies readonly BrainEntry['type'][];

export function addBrainCommands(declare: Declare, start: Start): void {
  declare('brain', "read and write an agent's long-term memory", (brain) => addEntries(brain, start));
}

function addEntries(brain: Command, start: Start): void {
  brain
    .command('list <agent>')
    .alias('ls')
    .description('list entries, newest first')
    .addOption(new Option('--type <type>', 'only entries of this type').choices(types))
    .option('--tag <tag>', 'only entries with this tag (repeatable; any matches)', collect)
    .option('--from <day>', 'since this day, such as 2026-11-15')
    .option('--to <day>', 'until this day')
    .option('--pinned', 'only pinned entries')
    .option('--no-pinned', 'only entries that are not pinned')
    .option('--search <text>', 'only entries that contain this text')
    .option('-n, --limit <count>', 'at most this many', wholeNumber)
    .action(async (agent: string, options: BrainListOptions) => {
      await (await import('./brain.ts')).listEntries(start(), agent, options);
    });
  brain
    .command('show <agent> <entry>')
    .description('show an entry; the start of its id is enough')
    .action(async (agent: string, entry: string) => {
      await (await import('./brain.ts')).showEntry(start(), agent, entry);
    });
  brain
    .command('add <agent> [content]')
    .description('add an entry (no content, or -, reads standard input)')
    .addOption(new Option('--type <type>', 'the type of the entry').choices(types).default('note'))
    .option('--tag <tag>', 'a tag (repeatable)', collect)
    .option('--pin', 'put it into every prompt of the agent')
    .action(async (agent: string, content: string | undefined, options: AddOptions) => {
      await (await import('./brain.ts')).addEntry(start(), agent, content, options);
    });
  brain
    .command('edit <agent> <entry>')
    .description('change an entry')
    .option('--content <text>', 'the new content, or - for standard input')
    .addOption(new Option('--type <type>', 'the type of the entry').choices(types))
    .option('--tag <tag>', 'the new tags (repeatable)', collect)
    .option('--no-tags', 'remove all tags')
    .action(async (agent: string, entry: string, options: ChangeOptions) => {
      await (await import('./brain.ts')).changeEntry(start(), agent, entry, options);
    });
  brain
    .command('rm <agent> <entry>')
    .alias('delete')
    .description('delete an entry; `undelete` restores it within 30 days')
    .action(async (agent: string, entry: string) => {
      await (await import('./brain.ts')).removeEntry(start(), agent, entry);
    });
  brain
    .command('undelete <agent> <entry>')
    .description('restore a deleted entry, by its full id')
    .action(async (agent: string, entry: string) => {
      await (await import('./brain.ts')).undeleteEntry(start(), agent, entry);
    });
  for (const pinned of [true, false]) {
    brain
      .command(`${pinned ? 'pin' : 'unpin'} <agent> <entry>`)
      .description(pinned ? 'put an entry into every prompt of the agent' : 'stop putting it into prompts')
      .action(async (agent: string, entry: string) => {
        await (await import('./brain.ts')).pinEntry(start(), agent, entry, pinned);
      });
  }
}
