import type { Declare, Start } from '../../command-declaration.ts';
import { collect, wholeNumber } from '../../input/option-values.ts';
import type { ChatOptions } from './chat.ts';
import type { ChatListOptions } from './chats.ts';

export function addChatCommands(declare: Declare, start: Start): void {
  declare('chat <agent>', 'talk to an agent in the terminal', (command) => {
    command
      .option('--arg <name=value>', 'an argument of the agent (repeatable)', collect)
      .option('--model <model>', 'PROVIDER/MODEL; repeat it for fallbacks', collect)
      .option('--resume <chat>', 'continue this chat')
      .option('--file <file>', 'attach a file to the first message (repeatable)', collect)
      .action(async (agent: string, options: ChatOptions) => {
        await (await import('./chat.ts')).chat(start(), agent, options);
      });
  });
  declare('chats', 'past and current chats', (chats) => {
    chats
      .command('list', { isDefault: true })
      .alias('ls')
      .description('list chats, the last used first')
      .option('--agent <id>', 'only chats with this agent')
      .option('-n, --limit <count>', 'at most this many', wholeNumber)
      .action(async (options: ChatListOptions) => {
        await (await import('./chats.ts')).listChats(start(), options);
      });
    chats
      .command('show <id>')
      .description('show a chat with its costs')
      .action(async (id: string) => {
        await (await import('./chats.ts')).showChat(start(), id);
      });
    chats
      .command('export <id>')
      .description('print a chat as Markdown, or as JSON with --json')
      .action(async (id: string) => {
        await (await import('./chats.ts')).exportChat(start(), id);
      });
    chats
      .command('delete <id>')
      .alias('rm')
      .description('delete a chat and all of its runs')
      .action(async (id: string) => {
        await (await import('./chats.ts')).deleteChat(start(), id);
      });
  });
}
