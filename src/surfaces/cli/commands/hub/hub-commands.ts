import { Option } from 'commander';
import type { Command } from 'commander';
import type { LogLevel } from '../../../../platform/home/log.ts';
import type { LogOptions } from './logs.ts';
import type { ServeOptions } from './serve.ts';
import type { Declare, Start } from '../../command-declaration.ts';
import { portNumber, wholeNumber } from '../../input/option-values.ts';

const levels = ['debug', 'info', 'warn', 'error'] as const satisfies readonly LogLevel[];

export function addHubCommands(declare: Declare, start: Start): void {
  declare('serve', 'start the hub and its page in the foreground', (command) => {
    command
      .option('--port <port>', 'the port to listen on (default: 7331)', portNumber)
      .option('--host <host>', 'the address to listen on (default: 127.0.0.1)')
      .option('--no-open', 'do not open the page in a browser')
      .option('--no-auth', 'require no token; on this machine only')
      .option('--trust-all', 'trust every workspace without asking; for automation')
      .addOption(new Option('--until-idle', 'exit when idle; for bridges').hideHelp())
      .action(async (options: ServeOptions) => {
        await (await import('./serve.ts')).serve(start(['json']), options);
      });
  });
  declare('mcp', 'serve MCP over stdio, through the hub; clients start this', (command) => {
    command.option('--agent <id>', 'serve only this agent').action(async ({ agent }: { agent?: string }) => {
      const { env, folder, surfaces } = start(['json', 'config']);
      await surfaces.runBridge({ env, folder, agent });
    });
  });
  declare('acp', 'serve an agent to an editor over ACP, through the hub; editors start this', (command) => {
    command.argument('[agent]', 'the agent; by default the current one').action(async (agent?: string) => {
      const { env, folder, surfaces } = start(['json', 'config']);
      await surfaces.runAcpBridge({ env, folder, agent });
    });
  });
  declare('status', 'show whether the hub is running', (command) => {
    command.action(async () => {
      await (await import('./status.ts')).showStatus(start(['config']));
    });
  });
  declare('stop', 'stop the hub', (command) => {
    command.action(async () => {
      await (await import('./status.ts')).stopHub(start(['config', 'workspace']));
    });
  });
  declare('open', 'open the page in a browser', (command) => {
    command.option('--no-browser', 'only print the link').action(async (options: { browser: boolean }) => {
      await (await import('./status.ts')).openPage(start(['config', 'workspace']), options);
    });
  });
  declare('events', 'follow changes as they happen', (command) => {
    command
      .option('--after <number>', 'start after this event', wholeNumber)
      .action(async (options: { after?: number }) => {
        await (await import('./events.ts')).followEvents(start(), options);
      });
  });
  declare('logs', "show the hub's log", (command) => {
    command
      .option('-f, --follow', 'keep following')
      .option('-n, --lines <count>', 'the number of lines (default: 50)', wholeNumber)
      .addOption(new Option('--level <level>', 'only this level and above').choices(levels))
      .action(async (options: LogOptions) => {
        await (await import('./logs.ts')).showLogs(start(['config', 'workspace']), options);
      });
  });
  declare('token', 'print the operator token, or manage agent tokens', (token) => addTokens(token, start));
}

function addTokens(token: Command, start: Start): void {
  token
    .command('show', { isDefault: true })
    .description('print the operator token')
    .action(async () => {
      await (await import('./token.ts')).showToken(start(['config', 'workspace']));
    });
  token
    .command('create')
    .description('create a token for one agent and its tools')
    .requiredOption('--agent <id>', 'the agent')
    .option('--label <text>', 'what it is for')
    .action(async (options: { agent: string; label?: string }) => {
      await (await import('./token.ts')).createToken(start(), options);
    });
  token
    .command('list')
    .alias('ls')
    .description('list agent tokens')
    .action(async () => {
      await (await import('./token.ts')).listTokens(start());
    });
  token
    .command('rm <id>')
    .description('revoke a token; the start of its id is enough')
    .action(async (id: string) => {
      await (await import('./token.ts')).removeToken(start(), id);
    });
}
