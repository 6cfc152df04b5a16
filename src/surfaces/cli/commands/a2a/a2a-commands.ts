import type { Declare, Start } from '../../command-declaration.ts';
import type { A2ACallOptions } from './a2a.ts';

const TOKEN = 'the token of the agent (default: A2A_TOKEN)';

export function addA2ACommands(declare: Declare, start: Start): void {
  declare('a2a', 'call agents of others over A2A', (a2a) => {
    a2a
      .command('card <url>')
      .description('show the card of an agent; URL is its address or that of its card')
      .option('--token <token>', TOKEN)
      .action(async (url: string, options: { token?: string }) => {
        await (await import('./a2a.ts')).showCard(start(['json']), url, options);
      });
    a2a
      .command('call <url> <message>')
      .description('send a message to an agent and print its answer as it comes')
      .option('--context <id>', 'continue this conversation')
      .option('--task <id>', 'answer the question of this task')
      .option('--token <token>', TOKEN)
      .action(async (url: string, message: string, options: A2ACallOptions) => {
        await (await import('./a2a.ts')).callAgent(start(['json']), url, message, options);
      });
  });
}
