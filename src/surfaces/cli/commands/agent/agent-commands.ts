import { Option } from 'commander';
import type { Command } from 'commander';
import type { AgentMode, SourceKind } from '../../../../contract/agent.ts';
import type { CloneOptions } from './agent-changes.ts';
import type { CreateOptions } from './agent-create.ts';
import type { ExportOptions } from './agent-export.ts';
import type { ImportOptions } from './agent-import.ts';
import { type ListOptions, listAgents } from './agent-list.ts';
import type { TestOptions } from './agent-test.ts';
import type { AgentLanguage } from '../scripts/scaffolds/agent.ts';
import type { EditOptions } from '../../input/edit-by-options.ts';
import type { Declare, Start } from '../../command-declaration.ts';
import { collect, wholeNumber } from '../../input/option-values.ts';

const sources = ['editor', 'toml', 'markdown', 'lua', 'typescript'] as const satisfies readonly SourceKind[];
const modes = ['interactive', 'autonomous', 'tools'] as const satisfies readonly AgentMode[];
const languages = ['lua', 'ts', 'md', 'toml'] as const satisfies readonly AgentLanguage[];
const formats = ['json', 'md', 'toml'] as const;

export function addAgentCommands(declare: Declare, start: Start): void {
  declare('agent', 'define, test and edit agents', (agent) => {
    addReading(agent, start);
    addWriting(agent, start);
    addHistory(agent, start);
    addFiles(agent, start);
  });
}

function addReading(agent: Command, start: Start): void {
  agent
    .command('list')
    .alias('ls')
    .description('list agents with their tools')
    .addOption(new Option('--source <source>', 'only agents from this source').choices(sources))
    .addOption(new Option('--mode <mode>', 'only agents of this mode').choices(modes))
    .option('--tool <tool>', 'only agents that may call this tool')
    .option('--search <text>', 'only agents that contain this text')
    .option('--deleted', 'only deleted agents; `undelete` restores them')
    .option('--limit <count>', 'at most this many', wholeNumber)
    .action(async (options: ListOptions) => {
      await listAgents(start(), options);
    });
  agent
    .command('show <id>')
    .description('show an agent')
    .action(async (id: string) => {
      await (await import('./agent-show.ts')).showAgent(start(), id);
    });
  agent
    .command('test <id>')
    .description('resolve an agent and show its prompt, tools and messages')
    .option('--arg <name=value>', 'an argument of the agent (repeatable)', collect, [])
    .option('--receipt', 'also show the receipt: what went in, with tokens')
    .option('--watch', 'run again whenever something changes, until interrupted')
    .option('--trust', 'with --watch: approve every change without asking')
    .action(async (id: string, options: TestOptions) => {
      await (await import('./agent-test.ts')).testAgent(start(), id, options);
    });
}

function addWriting(agent: Command, start: Start): void {
  agent
    .command('init <name>')
    .description('create an agent file from a template: Lua, TypeScript, Markdown or TOML')
    .addOption(new Option('--lang <language>', 'the language').choices(languages).default('lua'))
    .action(async (name: string, options: { lang: AgentLanguage }) => {
      await (await import('../scripts/scaffold.ts')).initAgent(start(), name, options);
    });
  agent
    .command('create')
    .description('create an agent in the editor; asks at a terminal')
    .option('--name <name>', 'its name; the id is derived from it')
    .option('--id <id>', 'its id')
    .option('--description <text>', 'a one-line description')
    .option('--system-prompt <text>', 'its persona')
    .option('--system-prompt-file <file>', 'read the persona from a file, or - for standard input')
    .addOption(new Option('--mode <mode>', 'how it is used').choices(modes))
    .option('--model <model>', 'its preferred model')
    .option('--tool <tool>', 'a tool it may use (repeatable)', collect)
    .option('--template <id>', 'start from a template (`zoo template list`)')
    .action(async (options: CreateOptions) => {
      await (await import('./agent-create.ts')).createAgent(start(), options);
    });
  agent
    .command('edit <id>')
    .description('edit an agent in $VISUAL or $EDITOR, or by options')
    .option('--set <key=value>', 'set a field, as JSON or text (repeatable)', collect, [])
    .option('--system-prompt-file <file>', 'read the persona from a file, or - for standard input')
    .option('--skill <id=on|off>', 'switch a skill on or off (repeatable)', collect, [])
    .action(async (id: string, options: EditOptions) => {
      await (await import('./agent-edit.ts')).editAgent(start(), id, options);
    });
  agent
    .command('rm <id>')
    .alias('delete')
    .description('delete an agent; `undelete` restores it')
    .action(async (id: string) => {
      await (await import('./agent-changes.ts')).removeAgent(start(), id);
    });
  agent
    .command('undelete <id>')
    .description('restore a deleted agent')
    .action(async (id: string) => {
      await (await import('./agent-changes.ts')).undeleteAgent(start(), id);
    });
  agent
    .command('clone <id>')
    .description('copy an agent of any source into the editor')
    .option('--id <id>', 'the id of the copy')
    .option('--name <name>', 'the name of the copy')
    .option('--yes', 'do not ask, even if the copy replaces agents of other workspaces')
    .action(async (id: string, options: CloneOptions) => {
      await (await import('./agent-changes.ts')).cloneAgent(start(), id, options);
    });
}

function addHistory(agent: Command, start: Start): void {
  agent
    .command('history <id>')
    .description('list the revisions of an agent, newest first')
    .option('-n, --limit <count>', 'at most this many', wholeNumber)
    .action(async (id: string, options: { limit?: number }) => {
      await (await import('./agent-history.ts')).showHistory(start(), id, options);
    });
  agent
    .command('diff <id>')
    .argument('[from]', 'a revision (default: the one before `to`)', wholeNumber)
    .argument('[to]', 'a revision (default: the latest)', wholeNumber)
    .description('show what changed between two revisions')
    .action(async (id: string, from: number | undefined, to: number | undefined) => {
      await (await import('./agent-history.ts')).diffAgent(start(), id, from, to);
    });
  agent
    .command('restore <id>')
    .argument('<revision>', 'a number from `zoo agent history`', wholeNumber)
    .description('make an earlier revision the current one')
    .action(async (id: string, revision: number) => {
      await (await import('./agent-history.ts')).restoreAgent(start(), id, revision);
    });
}

function addFiles(agent: Command, start: Start): void {
  agent
    .command('import <files...>')
    .description(
      'import agents from JSON, Markdown or TOML files or folders into the editor (- for standard input)',
    )
    .addOption(new Option('--format <format>', 'the format (default: by file name)').choices(formats))
    .option('--as <id>', 'the id of the imported agent (one agent only)')
    .option('--into <agent>', 'the agent that gets the skills of SKILL.md files')
    .addOption(
      new Option('--on-conflict <what>', 'if the id is taken')
        .choices(['fail', 'rename', 'replace'])
        .default('fail'),
    )
    .action(async (files: string[], options: ImportOptions) => {
      await (await import('./agent-import.ts')).importAgents(start(), files, options);
    });
  agent
    .command('export [id]')
    .description('export an agent as JSON, Markdown or TOML')
    .option('--all', 'every agent')
    .addOption(
      new Option('--format <format>', 'the format (default: by the name of the file, else json)').choices(
        formats,
      ),
    )
    .option('-o, --output <file>', 'the file to write (default: standard output)')
    .action(async (id: string | undefined, options: ExportOptions) => {
      await (await import('./agent-export.ts')).exportAgents(start(), id, options);
    });
}
