import { Option } from 'commander';
import type { Declare, Start } from '../../command-declaration.ts';
import { collect, wholeNumber } from '../../input/option-values.ts';
import type { AnswerOptions } from './inbox.ts';
import type { RunOptions } from './run.ts';
import type { RunListOptions } from './runs.ts';

const effortOption = () =>
  new Option('--effort <effort>', 'how long the model thinks').choices(['low', 'medium', 'high']);

export function addRunCommands(declare: Declare, start: Start): void {
  declare('run <agent> [prompt...]', 'run an agent against a model and print its answer', (command) => {
    command
      .option('--arg <name=value>', 'an argument of the agent (repeatable)', collect)
      .option('--model <model>', 'PROVIDER/MODEL; repeat it for fallbacks', collect)
      .option('--output-schema <file>', 'ask for JSON of this schema')
      .addOption(effortOption())
      .option('--file <file>', 'attach a file (repeatable)', collect)
      .action(async (agent: string, prompt: string[], options: RunOptions) => {
        await (await import('./run.ts')).runAgent(start(), agent, prompt, options);
      });
  });
  declare('runs', 'past and current runs', (runs) => {
    runs
      .command('list', { isDefault: true })
      .alias('ls')
      .description('list runs, newest first')
      .option('--agent <id>', 'only runs of this agent')
      .option('--state <state>', 'only runs in this state')
      .option('-n, --limit <count>', 'at most this many', wholeNumber)
      .action(async (options: RunListOptions) => {
        await (await import('./runs.ts')).listRuns(start(), options);
      });
    runs
      .command('show <id>')
      .description('show a run step by step')
      .action(async (id: string) => {
        await (await import('./runs.ts')).showRun(start(), id);
      });
    runs
      .command('cancel <id>')
      .description('cancel a run')
      .action(async (id: string) => {
        await (await import('./runs.ts')).cancelRun(start(), id);
      });
    runs
      .command('export <id>')
      .description('print a run as Markdown, or as JSON with --json')
      .action(async (id: string) => {
        await (await import('./runs.ts')).exportRun(start(), id);
      });
    runs
      .command('delete <id>')
      .alias('rm')
      .description('delete a finished run and its steps')
      .action(async (id: string) => {
        await (await import('./runs.ts')).deleteRun(start(), id);
      });
    runs
      .command('resume <id>')
      .description('resume an interrupted run')
      .action(async (id: string) => {
        await (await import('./runs.ts')).resumeRun(start(), id);
      });
  });
  declare('pause', 'pause all runs: no model and no tool is called', (command) => {
    command.action(async () => {
      await (await import('./pause.ts')).pauseRuns(start());
    });
  });
  declare('resume', 'continue all runs after a pause', (command) => {
    command.action(async () => {
      await (await import('./pause.ts')).unpauseRuns(start());
    });
  });
  declare('inbox', 'questions that wait for your answer', (inbox) => {
    inbox
      .command('list', { isDefault: true })
      .alias('ls')
      .description('list open questions')
      .action(async () => {
        await (await import('./inbox.ts')).listQuestions(start());
      });
    inbox
      .command('answer <id> [decision]')
      .description(
        'answer a question: once, chat, always, deny (approvals); allow, deny (team members); accept, decline (others)',
      )
      .option('--reason <text>', 'reason for denying; passed on to the model or team member')
      .option(
        '--arguments <json>',
        'call the tool with these arguments instead, or fill in the form of the question',
      )
      .action(async (id: string, decision: string | undefined, options: AnswerOptions) => {
        await (await import('./inbox.ts')).answerQuestion(start(), id, decision, options);
      });
  });
  declare('providers', 'list model providers and what they are missing', (command) => {
    command
      .option('--check', 'send the smallest possible request to each')
      .action(async (options: { check?: true }) => {
        await (await import('./providers.ts')).listProviders(start(), options);
      });
  });
}
