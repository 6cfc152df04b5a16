import { Argument } from 'commander';
import type { Shell } from './completions.ts';
import type { Declare, Start } from '../../command-declaration.ts';

const shells = ['bash', 'zsh', 'fish'] as const satisfies readonly Shell[];

export function addUpkeepCommands(declare: Declare, start: Start): void {
  declare('doctor', 'check this installation, and say what to do', (command) => {
    command.action(async () => {
      await (await import('./doctor.ts')).runDoctor(start());
    });
  });
  declare('backup <file>', 'copy everything into one file, while the hub runs', (command) => {
    command
      .option('--force', 'overwrite the file')
      .action(async (file: string, options: { force?: true }) => {
        await (await import('./backup.ts')).backUp(start(), file, options);
      });
  });
  declare('restore <file>', 'bring a backup back, in place of what is there', (command) => {
    command.option('--yes', 'do not ask').action(async (file: string, options: { yes?: true }) => {
      await (await import('./backup.ts')).restoreBackup(start(), file, options);
    });
  });
  declare('completions', 'print a completion script for a shell', (command) => {
    command.addArgument(new Argument('<shell>', 'whose').choices(shells)).action(async (shell: Shell) => {
      (await import('./completions.ts')).printCompletions(start(), command.parent ?? command, shell);
    });
  });
  declare('__complete <what>', '', (command) => {
    command.action(async (what: string) => {
      await (await import('./completions.ts')).complete(start(), what);
    });
  });
}
