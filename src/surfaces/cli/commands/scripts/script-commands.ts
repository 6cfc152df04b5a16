import type { ToolCallOptions } from '../tools/tools-call.ts';
import type { Declare, Start } from '../../command-declaration.ts';
import { collect } from '../../input/option-values.ts';

/** Tools and connectors of one's own. */
export function addScriptCommands(declare: Declare, start: Start): void {
  declare('tool', 'write and try tools of your own', (tool) => {
    tool
      .command('init <name>')
      .description('begin a tool as a Lua script')
      .action(async (name: string) => {
        await (await import('./scaffold.ts')).initTool(start(), name);
      });
    tool
      .command('test <name>')
      .description('call a tool, and show what it answers')
      .option('--arg <name=value>', 'an argument; what is not text is JSON (repeat for more)', collect, [])
      .option('--json-args <json>', 'all arguments as JSON, or - for standard input')
      .option('--agent <id>', 'as this agent, within its scope')
      .action(async (name: string, options: ToolCallOptions) => {
        await (await import('./script-tools.ts')).testTool(start(), name, options);
      });
    tool
      .command('list')
      .alias('ls')
      .description('list the tools of scripts')
      .action(async () => {
        await (await import('./script-tools.ts')).listScriptTools(start());
      });
  });
  declare('connector', 'write and try connectors of your own', (connector) => {
    connector
      .command('init <name>')
      .description('begin a connector as a Lua script')
      .action(async (name: string) => {
        await (await import('./scaffold.ts')).initConnector(start(), name);
      });
    connector
      .command('test <name>')
      .description('run a connector, and show what it would bring; nothing is kept')
      .action(async (name: string) => {
        const { syncSources } = await import('../knowledge/sync.ts');
        await syncSources(start(), name.includes(':') ? name : `script:${name}`, {
          dryRun: true,
          full: true,
        });
      });
  });
}
