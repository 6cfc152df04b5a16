import type { ToolCallOptions } from '../tools/tools-call.ts';
import type { Declare, Start } from '../../command-declaration.ts';
import { collect } from '../../input/option-values.ts';

/** Tools and connectors as Lua scripts. */
export function addScriptCommands(declare: Declare, start: Start): void {
  declare('tool', 'write and test your own tools', (tool) => {
    tool
      .command('init <name>')
      .description('create a Lua tool from a template')
      .action(async (name: string) => {
        await (await import('./scaffold.ts')).initTool(start(), name);
      });
    tool
      .command('test <name>')
      .description('call a tool and show its result, log and stack trace')
      .option('--arg <name=value>', 'an argument; JSON unless it is text (repeatable)', collect, [])
      .option('--json-args <json>', 'all arguments as JSON, or - for standard input')
      .option('--agent <id>', 'call it as this agent, within its scope')
      .action(async (name: string, options: ToolCallOptions) => {
        await (await import('./script-tools.ts')).testTool(start(), name, options);
      });
    tool
      .command('list')
      .alias('ls')
      .description('list script tools')
      .action(async () => {
        await (await import('./script-tools.ts')).listScriptTools(start());
      });
  });
  declare('connector', 'write and test your own connectors', (connector) => {
    connector
      .command('init <name>')
      .description('create a Lua connector from a template')
      .action(async (name: string) => {
        await (await import('./scaffold.ts')).initConnector(start(), name);
      });
    connector
      .command('test <name>')
      .description('run a connector and show what it would add; nothing is stored')
      .action(async (name: string) => {
        const { syncSources } = await import('../knowledge/sync.ts');
        await syncSources(start(), name.includes(':') ? name : `script:${name}`, {
          dryRun: true,
          full: true,
        });
      });
  });
}
