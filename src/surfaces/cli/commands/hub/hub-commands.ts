import { Option } from 'commander';
import type { Command } from 'commander';
import type { LogLevel } from '../../../../platform/home/log.ts';
import type { LogOptions } from './logs.ts';
import type { ServeOptions } from './serve.ts';
import type { Declare, Start } from '../../command-declaration.ts';
import { portNumber, wholeNumber } from '../../input/option-values.ts';

const levels = ['debug', 'info', 'warn', 'error'] as const satisfies readonly LogLevel[];

export function addHubCommands(declare: Declare, start: Start): void {
  declare('serve', 'start the hub and its page, here in the foreground', (command) => {
    command
      .option('--port <port>', 'where to listen (default: 7331)', portNumber)
      .option('--host <host>', 'the address to listen on (default: 127.0.0.1)')
      .option('--no-open', 'do not open the page in the browser')
      .option('--no-auth', 'ask nobody for a token; for this machine only')
      .option('--trust-all', 'run what workspaces bring along without asking; for automation')
      .addOption(new Option('--until-idle', 'end when nobody uses it; for bridges').hideHelp())
      .action(async (options: ServeOptions) => {
        await (await import('./serve.ts')).serve(start(), options);
      });
  });
  declare('mcp', 'serve MCP on standard input and output, through the hub; clients start this', (command) => {
    command
      .option('--agent <id>', 'serve this one agent instead of all')
      .action(async ({ agent }: { agent?: string }) => {
        const { env, folder, surfaces } = start();
        await surfaces.runBridge({ env, folder, agent });
      });
  });
  declare('status', 'show whether the hub runs, and for whom', (command) => {
    command.action(async () => {
      await (await import('./status.ts')).showStatus(start());
    });
  });
  declare('stop', 'stop the hub', (command) => {
    command.action(async () => {
      await (await import('./status.ts')).stopHub(start());
    });
  });
  declare('open', 'open the page in the browser', (command) => {
    command.option('--no-browser', 'only print the link').action(async (options: { browser: boolean }) => {
      await (await import('./status.ts')).openPage(start(), options);
    });
  });
  declare('events', 'follow every change as it happens', (command) => {
    command
      .option('--after <number>', 'begin after this event', wholeNumber)
      .action(async (options: { after?: number }) => {
        await (await import('./events.ts')).followEvents(start(), options);
      });
  });
  declare('logs', "show the hub's log", (command) => {
    command
      .option('-f, --follow', 'go on as it grows')
      .option('-n, --lines <count>', 'how many of the last lines (default: 50)', wholeNumber)
      .addOption(new Option('--level <level>', 'this severe at least').choices(levels))
      .action(async (options: LogOptions) => {
        await (await import('./logs.ts')).showLogs(start(), options);
      });
  });
  declare('token', 'print the operator token, or manage tokens of agents', (token) =>
    addTokens(token, start),
  );
}

function addTokens(token: Command, start: Start): void {
  token
    .command('show', { isDefault: true })
    .description('print the operator token')
    .action(async () => {
      await (await import('./token.ts')).showToken(start());
    });
  token
    .command('create')
    .description('make a token that reaches one agent and its tools, nothing else')
    .requiredOption('--agent <id>', 'the agent')
    .option('--label <text>', 'what it is for')
    .action(async (options: { agent: string; label?: string }) => {
      await (await import('./token.ts')).createToken(start(), options);
    });
  token
    .command('list')
    .alias('ls')
    .description('list the tokens of agents')
    .action(async () => {
      await (await import('./token.ts')).listTokens(start());
    });
  token
    .command('rm <id>')
    .description('revoke a token')
    .action(async (id: string) => {
      await (await import('./token.ts')).removeToken(start(), id);
    });
}
