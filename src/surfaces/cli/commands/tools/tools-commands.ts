import type { ImportOptions } from './tools-import.ts';
import type { StatusOptions } from './tools-status.ts';
import type { ToolCallOptions } from './tools-call.ts';
import type { ToolListOptions } from './tools-list.ts';
import type { ActivityOptions } from './activity.ts';
import type { Declare, Start } from '../../command-declaration.ts';
import { collect, wholeNumber } from '../../input/option-values.ts';

export function addToolCommands(declare: Declare, start: Start): void {
  declare('tools', 'what models can call, and the servers that it comes from', (tools) => {
    tools
      .command('list')
      .alias('ls')
      .description('list tools, with what they cost in tokens')
      .option('--agent <id>', "only those in this agent's scope")
      .option('--search <words>', 'the best first')
      .action(async (options: ToolListOptions) => {
        await (await import('./tools-list.ts')).listTools(start(), options);
      });
    tools
      .command('show <name>')
      .description('show one tool, with what it takes')
      .option('--agent <id>', "as far as it is in this agent's scope")
      .action(async (name: string, options: { agent?: string }) => {
        await (await import('./tools-list.ts')).showTool(start(), name, options);
      });
    tools
      .command('call <name>')
      .description('call a tool')
      .option('--agent <id>', 'as this agent, within its scope')
      .option('--arg <name=value>', 'an argument (repeat for more)', collect, [])
      .option('--json-args <json>', 'all arguments as JSON, or - for standard input')
      .action(async (name: string, options: ToolCallOptions) => {
        await (await import('./tools-call.ts')).callTool(start(), name, options);
      });
    tools
      .command('status [name]')
      .description('show the upstream MCP servers, and what is wrong with them')
      .option('--check', 'start or reach them now')
      .action(async (name: string | undefined, options: StatusOptions) => {
        await (await import('./tools-status.ts')).showStatus(start(), name, options);
      });
    tools
      .command('login <name>')
      .description('sign in at an upstream MCP server that asks who you are (OAuth)')
      .option('--no-open', 'print the address instead of opening it')
      .action(async (name: string, options: { open: boolean }) => {
        await (await import('./tools-login.ts')).logIn(start(), name, options);
      });
    tools
      .command('logout <name>')
      .description('forget the tokens of an upstream MCP server')
      .action(async (name: string) => {
        await (await import('./tools-login.ts')).logOut(start(), name);
      });
    tools
      .command('import [file...]')
      .description("take over servers from other clients' configs (default: those found in the workspace)")
      .option('--print', 'print the TOML instead of writing it into the config')
      .action(async (files: string[], options: ImportOptions) => {
        await (await import('./tools-import.ts')).importServers(start(), files, options);
      });
  });
  declare('scope', 'what an agent may see and call, and why', (scope) => {
    scope
      .command('show <agent>', { isDefault: true })
      .description('list the tools in the scope of an agent, with what they cost in tokens')
      .action(async (agent: string) => {
        await (await import('./scope.ts')).showScope(start(), agent);
      });
    scope
      .command('explain <agent> <tool>')
      .description('say whether an agent may call a tool, by which rule, and where that is written')
      .action(async (agent: string, tool: string) => {
        await (await import('./scope.ts')).explainScope(start(), agent, tool);
      });
  });
  declare('activity', 'show which tools were called, by whom, and how it went', (activity) => {
    activity
      .option('--agent <id>', 'only calls of this agent')
      .option('--tool <name>', 'only calls of this tool')
      .option('--failed', 'only calls that failed')
      .option('--since <when>', 'no older than this: 30m, 2h, 7d, or a time')
      .option('-n, --limit <count>', 'no more than this many (default: 50)', wholeNumber)
      .option('-f, --follow', 'go on as calls are made')
      .action(async (options: ActivityOptions) => {
        await (await import('./activity.ts')).showActivity(start(), options);
      });
  });
}
