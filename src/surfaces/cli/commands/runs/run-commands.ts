import type { Declare, Start } from '../../command-declaration.ts';
import { collect, wholeNumber } from '../../input/option-values.ts';
import type { RunOptions } from './run.ts';
import type { RunListOptions } from './runs.ts';

export function addRunCommands(declare: Declare, start: Start): void {
  declare('run <agent> [prompt...]', 'run an agent against a model and print its answer', (command) => {
    command
      .option('--arg <name=value>', 'an argument of the agent (repeatable)', collect)
      .option('--model <model>', 'PROVIDER/MODEL; repeat it for fallbacks', collect)
      .option('--output-schema <file>', 'ask for JSON of this schema')
      .action(async (agent: string, prompt: string[], options: RunOptions) => {
        await (await import('./run.ts')).runAgent(start(), agent, prompt, options);
      });
  });
  declare('runs', 'past and current runs', (runs) => {
    runs
      .command('list', { isDefault: true })
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
      .command('resume <id>')
      .description('resume an interrupted run')
      .action(async (id: string) => {
        await (await import('./runs.ts')).resumeRun(start(), id);
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
