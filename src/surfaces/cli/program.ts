import { Command, Help } from 'commander';
import type { OutputConfiguration } from 'commander';
import { addAgentCommands } from './commands/agent/agent-commands.ts';
import { addBrainCommands } from './commands/brain/brain-commands.ts';
import { addConnectCommands } from './commands/connect/connect-commands.ts';
import { addHubCommands } from './commands/hub/hub-commands.ts';
import { addKnowledgeCommands } from './commands/knowledge/knowledge-commands.ts';
import { addScriptCommands } from './commands/scripts/script-commands.ts';
import { addToolCommands } from './commands/tools/tools-commands.ts';
import { addUpkeepCommands } from './commands/maintenance/maintenance-commands.ts';
import { addWorkspaceCommands } from './commands/workspace/workspace-commands.ts';
import type { Declare, Start } from './command-declaration.ts';
import { VERSION } from '../../platform/home/version.ts';

/** Words whose answer needs all of it. */
const wholeTree = new Set(['help', '-h', '--help', 'completions']);

/**
 * The tree of commands, as far as these words reach into it; without any, all of it. It knows words and options
 * only: what a command does is imported when it is run, so that no command pays for the others.
 */
export function createProgram(
  start: Start,
  output: OutputConfiguration,
  argv: readonly string[] = [],
): Command {
  const program = new Command('zoo')
    .description('One hub for agents: define an agent once, use it everywhere.')
    .version(VERSION, '-V, --version', 'show the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help for a command')
    .option('--json', 'print data, and errors, as JSON')
    .option('--workspace <folder>', 'the folder whose agents to see (default: this one)')
    .option('--config <file>', 'a config file to use instead of the one found from the folder')
    .showSuggestionAfterError(true)
    .exitOverride()
    .configureOutput(output)
    .configureHelp({ showGlobalOptions: true, visibleGlobalOptions });
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
  addConnectCommands(declare, start);
  addWorkspaceCommands(declare, start);
  addScriptCommands(declare, start);
  addUpkeepCommands(declare, start);
  program.addHelpText(
    'after',
    '\nBegin with:\n  zoo serve                        start the hub and its page\n  zoo agent list                   see the agents\n  zoo agent test ID --arg k=v      see the prompt that an agent resolves to\n',
  );
  return program;
}

/** The version is asked of `zoo`, not of each of its commands. */
function visibleGlobalOptions(this: Help, command: Command) {
  return Help.prototype.visibleGlobalOptions
    .call(this, command)
    .filter((option) => option.long !== '--version');
}
