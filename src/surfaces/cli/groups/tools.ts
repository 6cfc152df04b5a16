import type { ImportOptions } from '../commands/tools-import.ts';
import type { StatusOptions } from '../commands/tools-status.ts';
import type { Declare, Start } from '../start.ts';

export function addToolCommands(declare: Declare, start: Start): void {
  declare('tools', 'what models can call, and the servers that it comes from', (tools) => {
    tools
      .command('status [name]')
      .description('show the upstream MCP servers, and what is wrong with them')
      .option('--check', 'start or reach them now')
      .action(async (name: string | undefined, options: StatusOptions) => {
        await (await import('../commands/tools-status.ts')).showStatus(start(), name, options);
      });
    tools
      .command('import [file...]')
      .description("take over servers from other clients' configs (default: those found in the workspace)")
      .option('--print', 'print the TOML instead of writing it into the config')
      .action(async (files: string[], options: ImportOptions) => {
        await (await import('../commands/tools-import.ts')).importServers(start(), files, options);
      });
  });
}
