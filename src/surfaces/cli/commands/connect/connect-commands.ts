import { Option } from 'commander';
import type { ConnectOptions } from './connect.ts';
import type { Declare, Start } from '../../command-declaration.ts';

export function addConnectCommands(declare: Declare, start: Start): void {
  declare('connect', 'put the hub, or one agent, into an MCP client; alone, show the clients', (command) => {
    command
      .argument(
        '[client]',
        'cursor, claude-code, claude-desktop, vscode, codex, gemini, opencode, windsurf or zed',
      )
      .option('--agent <id>', 'this agent alone (default: the whole hub)')
      .addOption(
        new Option('--scope <scope>', 'for you everywhere, or for this folder (default: user)').choices([
          'user',
          'project',
        ]),
      )
      .option('--print', 'change nothing; print what to write, where, and the one-click link if there is one')
      .option('--remove', 'take it out again')
      .action(async (client: string | undefined, options: ConnectOptions) => {
        await (await import('./connect.ts')).connectClient(start(), client, options);
      });
  });
}
