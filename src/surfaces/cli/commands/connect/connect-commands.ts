import { Option } from 'commander';
import type { ConnectOptions } from './connect.ts';
import type { Declare, Start } from '../../command-declaration.ts';

export function addConnectCommands(declare: Declare, start: Start): void {
  declare(
    'connect',
    'connect an MCP client to the hub or to one agent; without a client, list them',
    (command) => {
      command
        .argument(
          '[client]',
          'cursor, claude-code, claude-desktop, vscode, codex, gemini, opencode, windsurf or zed',
        )
        .option('--agent <id>', 'only this agent (default: the whole hub)')
        .option('--acp', 'as an agent of an editor that speaks ACP: zed')
        .addOption(
          new Option(
            '--scope <scope>',
            'for you everywhere, or for this folder only (default: user)',
          ).choices(['user', 'project']),
        )
        .option('--print', 'write nothing; print the config, its file, and a one-click link if there is one')
        .option('--dry-run', 'write nothing; show what would change')
        .option('--remove', 'remove the connection')
        .action(async (client: string | undefined, options: ConnectOptions) => {
          await (await import('./connect.ts')).connectClient(start(), client, options);
        });
    },
  );
}
