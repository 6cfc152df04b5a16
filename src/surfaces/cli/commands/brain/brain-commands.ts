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
    .option('--tag <tag>', 'only entries with this tag (repeat for any of several)', collect)
    .option('--from <day>', 'from this day on, such as 2026-11-15')
    .option('--to <day>', 'up to this day')
    .option('--pinned', 'only pinned entries')
    .option('--no-pinned', 'only entries that are not pinned')
    .option('--search <text>', 'only entries in which this occurs')
    .option('-n, --limit <count>', 'no more than this many', wholeNumber)
    .action(async (agent: string, options: BrainListOptions) => {
      await (await import('./brain.ts')).listEntries(start(), agent, options);
    });
  brain
    .command('show <agent> <entry>')
    .description('show one entry')
    .action(async (agent: string, entry: string) => {
      await (await import('./brain.ts')).showEntry(start(), agent, entry);
    });
  brain
    .command('add <agent> [content]')
    .description('remember something (without content, or with -, from standard input)')
    .addOption(new Option('--type <type>', 'what kind of thing it is').choices(types).default('note'))
    .option('--tag <tag>', 'a tag (repeat for more)', collect)
    .option('--pin', 'inject it whenever the agent is used')
    .action(async (agent: string, content: string | undefined, options: AddOptions) => {
      await (await import('./brain.ts')).addEntry(start(), agent, content, options);
    });
  brain
    .command('edit <agent> <entry>')
    .description('change an entry')
    .option('--content <text>', 'its content, or - for standard input')
    .addOption(new Option('--type <type>', 'what kind of thing it is').choices(types))
    .option('--tag <tag>', 'its tags, all of them (repeat for more)', collect)
    .option('--no-tags', 'no tags')
    .action(async (agent: string, entry: string, options: ChangeOptions) => {
      await (await import('./brain.ts')).changeEntry(start(), agent, entry, options);
    });
  brain
    .command('rm <agent> <entry>')
    .description('forget an entry')
    .action(async (agent: string, entry: string) => {
      await (await import('./brain.ts')).removeEntry(start(), agent, entry);
    });
  for (const pinned of [true, false]) {
    brain
      .command(`${pinned ? 'pin' : 'unpin'} <agent> <entry>`)
      .description(pinned ? 'inject an entry whenever the agent is used' : 'inject it no longer')
      .action(async (agent: string, entry: string) => {
        await (await import('./brain.ts')).pinEntry(start(), agent, entry, pinned);
      });
  }
}
