import type { ZooClient } from '../../../../contract/api.ts';
import { ZooError } from '../../../../contract/errors.ts';
import { withClient } from '../../hub-access/with-client.ts';
import { readPairs } from '../../input/name-value-pairs.ts';
import { type Invocation, say } from '../../invocation.ts';
import { Failure } from '../../output/failure.ts';
import { withFiles } from '../runs/attach-files.ts';
import { followRun } from '../runs/follow-run.ts';
import { fullChatId } from './chats.ts';
import { messageOf, type Next, type OpenChat, parseSlash, runSlash } from './slash-commands.ts';

export interface ChatOptions {
  arg?: string[];
  model?: string[];
  resume?: string | undefined;
  file?: string[];
}

/** A conversation in the terminal. Ctrl-C cancels the current answer; at the prompt it ends the chat. */
export async function chat(call: Invocation, agent: string, options: ChatOptions): Promise<void> {
  const { asker } = call.terminal;
  if (!asker)
    throw new Failure('a chat needs a terminal', {
      hints: [`zoo run ${agent} "what to do" works without one`],
    });
  await withClient(call, async (client) => {
    const id = await openChat(client, agent, options);
    const create = (other: string) => openChat(client, other, { ...options, resume: undefined });
    const chat: OpenChat = { call, client, id, agent, files: options.file ?? [], create };
    say(call, `Chat ${id.slice(0, 8)} with ${agent}. /help lists the commands, /exit ends the chat.`);
    for (;;) {
      const said = (await asker.text('You'))?.trim();
      if (said === undefined) break;
      if (said === '') continue;
      const next = await answer(chat, said);
      if (next === 'end') break;
    }
    say(call, `zoo chat ${chat.agent} --resume ${chat.id.slice(0, 8)} continues this chat.`);
  });
}

/** A command or a turn that fails does not end the chat, and neither does a turn that is cancelled. */
async function answer(chat: OpenChat, said: string): Promise<Next> {
  const { call, client } = chat;
  try {
    const command = parseSlash(said);
    const next = command ? await runSlash(chat, command) : await send(chat, messageOf(said));
    if (typeof next !== 'string') await followRun(call, client, next.runId);
    return next;
  } catch (error) {
    if (!(error instanceof Failure) && !(error instanceof ZooError)) throw error;
    say(call, error.message);
    return 'prompt';
  }
}

async function send(chat: OpenChat, text: string): Promise<Next> {
  const message = await withFiles(text, chat.files);
  chat.files = [];
  return chat.client.call('sendMessage', { id: chat.id, body: { message } });
}

async function openChat(client: ZooClient, agent: string, options: ChatOptions): Promise<string> {
  if (options.resume !== undefined) return fullChatId(client, options.resume);
  const { id } = await client.call('createChat', {
    body: {
      agent,
      arguments: readPairs(options.arg ?? [], '--arg'),
      ...(options.model ? { model: options.model } : {}),
    },
  });
  return id;
}
