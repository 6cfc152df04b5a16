import { Argument } from 'commander';
import { collect } from '../../input/option-values.ts';
import type { CompletionOptions, Shell } from './completions.ts';
import type { Declare, Start } from '../../command-declaration.ts';

const shells = ['bash', 'zsh', 'fish'] as const satisfies readonly Shell[];

export function addUpkeepCommands(declare: Declare, start: Start): void {
  declare('doctor', 'check this installation and suggest fixes', (command) => {
    command.action(async () => {
      await (await import('./doctor.ts')).runDoctor(start());
    });
  });
  declare('backup <file>', 'back up everything to one file; the hub may keep running', (command) => {
    command
      .option('--force', 'overwrite an existing file')
      .action(async (file: string, options: { force?: true }) => {
        await (await import('./backup.ts')).backUp(start(['config', 'workspace']), file, options);
      });
  });
  declare('restore <file>', 'replace everything with a backup', (command) => {
    command
      .option('--yes', 'do not ask for confirmation')
      .action(async (file: string, options: { yes?: true }) => {
        await (await import('./backup.ts')).restoreBackup(start(['config', 'workspace']), file, options);
      });
  });
  declare('completions', 'print a completion script for a shell', (command) => {
    command
      .addArgument(new Argument('<shell>', 'bash, zsh or fish').choices(shells))
      .option('--name <alias>', 'also complete this alias of zoo (repeatable)', collect)
      .action(async (shell: Shell, options: CompletionOptions) => {
        await (await import('./completions.ts')).printCompletions(start(), shell, options);
      });
  });
  declare('__complete <line>', '', (command) => {
    command.action(async (line: string) => {
      await (await import('./completions.ts')).complete(start(), command.parent ?? command, line);
    });
  });
}
