import { Command, Help } from 'commander';
import type { Option, OutputConfiguration } from 'commander';
import { addA2ACommands } from './commands/a2a/a2a-commands.ts';
import { addAgentCommands } from './commands/agent/agent-commands.ts';
import { addBrainCommands } from './commands/brain/brain-commands.ts';
import { addChatCommands } from './commands/chats/chat-commands.ts';
import { addConnectCommands } from './commands/connect/connect-commands.ts';
import { addHubCommands } from './commands/hub/hub-commands.ts';
import { addKnowledgeCommands } from './commands/knowledge/knowledge-commands.ts';
import { addPublishCommands } from './commands/publish/publish-commands.ts';
import { addRunCommands } from './commands/runs/run-commands.ts';
import { addScriptCommands } from './commands/scripts/script-commands.ts';
import { addTeamCommands } from './commands/teams/team-commands.ts';
import { addToolCommands } from './commands/tools/tools-commands.ts';
import { addUpkeepCommands } from './commands/maintenance/maintenance-commands.ts';
import { addWorkspaceCommands } from './commands/workspace/workspace-commands.ts';
import type { Declare, Start } from './command-declaration.ts';
import { VERSION } from '../../platform/home/version.ts';

/** Words that need all commands. */
const wholeTree = new Set(['help', '-h', '--help', '__complete']);

/**
 * The part of the command tree that these words need; without words, all of it. It has only names and options: the
 * code of a command is imported when it runs, so that no command slows down others.
 */
export function createProgram(
  start: Start,
  output: OutputConfiguration,
  argv: readonly string[] = [],
): Command {
  const program = new Command('zoo')
    .description('One hub for AI agents: define an agent once, use it everywhere.')
    .version(VERSION, '-V, --version', 'show the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help for a command')
    .option('--json', 'print data and errors as JSON')
    .option('--workspace <folder>', 'use the workspace of this folder (default: the current one)')
    .option('--config <file>', 'use this config file instead of the one of the workspace')
    .showSuggestionAfterError(true)
    .exitOverride()
    .configureOutput(output)
    .configureHelp({
      showGlobalOptions: true,
      visibleGlobalOptions,
      optionDescription,
      formatItem,
      minWidthToWrap: LEAST_WIDTH,
    });
  const whole = argv.length === 0 || argv.some((word) => wholeTree.has(word));
  const declare: Declare = (words, description, fill) => {
    const command = program.command(words, { hidden: words.startsWith('__') }).description(description);
    if (whole || argv.includes(command.name())) fill(command);
  };
  addHubCommands(declare, start);
  addAgentCommands(declare, start);
  addBrainCommands(declare, start);
  addKnowledgeCommands(declare, start);
  addToolCommands(declare, start);
  addRunCommands(declare, start);
  addPublishCommands(declare, start);
  addChatCommands(declare, start);
  addA2ACommands(declare, start);
  addTeamCommands(declare, start);
  addConnectCommands(declare, start);
  addWorkspaceCommands(declare, start);
  addScriptCommands(declare, start);
  addUpkeepCommands(declare, start);
  program.addHelpText('after', ({ command }) => {
    const help = command.createHelp();
    help.helpWidth = output.getOutHelpWidth?.() ?? 80;
    const rows = FIRST_COMMANDS.map(([line, about]) => help.formatItem(line, 29, about, help));
    return `\nStart with:\n${rows.join('\n')}\n`;
  });
  return program;
}

const FIRST_COMMANDS = [
  ['zoo serve', 'start the hub and its page'],
  ['zoo agent list', 'list the agents'],
  ['zoo agent test ID --arg k=v', 'show the prompt that an agent resolves to'],
] as const;

/** Narrower text is not wrapped. */
const LEAST_WIDTH = 20;
/** With less room beside the terms, descriptions are put below them. */
const LEAST_BESIDE = 30;

function formatItem(this: Help, term: string, termWidth: number, description: string, help: Help): string {
  const width = this.helpWidth ?? 80;
  if (!description || width - termWidth - 4 >= LEAST_BESIDE) {
    return Help.prototype.formatItem.call(this, term, termWidth, description, help);
  }
  const margin = ' '.repeat(6);
  return `  ${term}\n${help.boxWrap(description, width - 6).replaceAll(/^/gm, margin)}`;
}

/** Repeatable options default to an empty list, which is not worth showing. */
function optionDescription(this: Help, option: Option): string {
  return Array.isArray(option.defaultValue)
    ? option.description
    : Help.prototype.optionDescription.call(this, option);
}

/** `--version` belongs to `zoo`, not to its commands. */
function visibleGlobalOptions(this: Help, command: Command) {
  return Help.prototype.visibleGlobalOptions
    .call(this, command)
    .filter((option) => option.long !== '--version');
}
