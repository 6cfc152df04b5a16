import type { Command } from 'commander';
import type { AddOptions } from './tools-add.ts';
import type { ImportOptions } from './tools-import.ts';
import type { StatusOptions } from './tools-status.ts';
import type { ToolCallOptions } from './tools-call.ts';
import type { ToolListOptions } from './tools-list.ts';
import type { ActivityOptions } from './activity.ts';
import type { Declare, Start } from '../../command-declaration.ts';
import { collect, wholeNumber } from '../../input/option-values.ts';

export function addToolCommands(declare: Declare, start: Start): void {
  declare('tools', 'tools, and the upstream MCP servers they come from', (tools) => {
    addToolCalls(tools, start);
    addUpstreamServers(tools, start);
  });
  declare('scope', 'what an agent may call, and why', (scope) => {
    scope
      .command('show <agent>', { isDefault: true })
      .description('list the tools in the scope of an agent with their token cost')
      .action(async (agent: string) => {
        await (await import('./scope.ts')).showScope(start(), agent);
      });
    scope
      .command('explain <agent> <tool>')
      .description('explain whether an agent may call a tool: the rule, and its file and line')
      .action(async (agent: string, tool: string) => {
        await (await import('./scope.ts')).explainScope(start(), agent, tool);
      });
  });
  declare('activity', 'show recent tool calls and their outcome', (activity) => {
    activity
      .option('--agent <id>', 'only calls of this agent')
      .option('--tool <name>', 'only calls of this tool')
      .option('--client <name>', 'only calls of this client, such as claude-code')
      .option('--failed', 'only calls that failed')
      .option('--since <when>', 'not older than 30m, 2h, 7d, or since a date')
      .option('-n, --limit <count>', 'at most this many (default: 50)', wholeNumber)
      .option('-f, --follow', 'keep following')
      .action(async (options: ActivityOptions) => {
        await (await import('./activity.ts')).showActivity(start(), options);
      });
  });
}

function addToolCalls(tools: Command, start: Start): void {
  tools
    .command('list')
    .alias('ls')
    .description('list tools with their token cost')
    .option('--agent <id>', "only tools in this agent's scope")
    .option('--search <words>', 'only tools that match, best first')
    .action(async (options: ToolListOptions) => {
      await (await import('./tools-list.ts')).listTools(start(), options);
    });
  tools
    .command('show <name>')
    .description('show a tool and its input schema')
    .option('--agent <id>', "only if it is in this agent's scope")
    .action(async (name: string, options: { agent?: string }) => {
      await (await import('./tools-list.ts')).showTool(start(), name, options);
    });
  tools
    .command('call <name>')
    .description('call a tool')
    .option('--agent <id>', 'call it as this agent, within its scope')
    .option('--arg <name=value>', 'an argument (repeatable)', collect, [])
    .option('--json-args <json>', 'all arguments as JSON, or - for standard input')
    .action(async (name: string, options: ToolCallOptions) => {
      await (await import('./tools-call.ts')).callTool(start(), name, options);
    });
}

function addUpstreamServers(tools: Command, start: Start): void {
  tools
    .command('status [name]')
    .description('show the upstream MCP servers and their errors')
    .option('--check', 'connect to them now')
    .action(async (name: string | undefined, options: StatusOptions) => {
      await (await import('./tools-status.ts')).showStatus(start(), name, options);
    });
  tools
    .command('add <name> [command...]')
    .description('add an upstream MCP server to the config: zoo tools add NAME -- COMMAND ARGS…')
    .option('--url <url>', 'reach it at this URL instead of starting a command')
    .option('--env <name=value>', 'a variable for the command (repeatable)', collect, [])
    .option('--header <name=value>', 'a header for the URL (repeatable)', collect, [])
    .option('--cwd <folder>', 'the folder to start the command in')
    .option('--print', 'print the TOML instead of writing the config')
    .action(async (name: string, command: string[], options: AddOptions) => {
      await (await import('./tools-add.ts')).addServer(start(), name, command, options);
    });
  tools
    .command('restart <name>')
    .description('restart an upstream MCP server, and show its state')
    .action(async (name: string) => {
      await (await import('./tools-status.ts')).restartServer(start(), name);
    });
  tools
    .command('accept <name> [tool]')
    .description('accept tools that an upstream MCP server has changed (all, or one)')
    .option('--show', 'only show the changes')
    .action(async (name: string, tool: string | undefined, options: { show?: true }) => {
      await (await import('./tools-accept.ts')).acceptTools(start(), name, tool, options);
    });
  tools
    .command('login <name>')
    .description('sign in to an upstream MCP server (OAuth)')
    .option('--no-open', 'print the link instead of opening it')
    .action(async (name: string, options: { open: boolean }) => {
      await (await import('./tools-login.ts')).logIn(start(), name, options);
    });
  tools
    .command('logout <name>')
    .description('delete the stored tokens of an upstream MCP server')
    .action(async (name: string) => {
      await (await import('./tools-login.ts')).logOut(start(), name);
    });
  tools
    .command('import [file...]')
    .description(
      "import servers from other clients' configs: JSON or TOML files, - for standard input (default: those in the workspace)",
    )
    .option('--print', 'print the TOML instead of writing the config')
    .action(async (files: string[], options: ImportOptions) => {
      await (await import('./tools-import.ts')).importServers(start(), files, options);
    });
}
