import type { ZooClient } from '../../../../contract/api.ts';
import type { Chat } from '../../../../contract/chat.ts';
import { ZooError } from '../../../../contract/errors.ts';
import { withClient } from '../../hub-access/with-client.ts';
import { readPairs } from '../../input/name-value-pairs.ts';
import { type Invocation, say } from '../../invocation.ts';
import { Failure, wrongUsage } from '../../output/failure.ts';
import { plural } from '../../render/layout.ts';
import { withFiles } from '../runs/attach-files.ts';
import { followRun, isUnderWay } from '../runs/follow-run.ts';
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
    const resumed =
      options.resume === undefined ? null : await resume(client, agent, options.resume, options);
    const id = resumed?.id ?? (await createChat(client, agent, options));
    const create = (other: string) => createChat(client, other, options);
    const chat: OpenChat = { call, client, id, agent, files: options.file ?? [], create };
    const turns = resumed ? `, ${plural(resumed.turns, 'turn')}` : '';
    say(call, `Chat ${id.slice(0, 8)} with ${agent}${turns}. /help lists the commands, /exit ends the chat.`);
    const underWay = resumed?.history.find(({ state }) => isUnderWay(state));
    if (underWay) await survive(call, () => followRun(call, client, underWay.runId));
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
  const next = await survive(call, async () => {
    const command = parseSlash(said);
    const then = command ? await runSlash(chat, command) : await send(chat, messageOf(said));
    if (typeof then !== 'string') await followRun(call, client, then.runId);
    return then;
  });
  return next ?? 'prompt';
}

/** Prints an expected failure; null after one. */
async function survive<T>(call: Invocation, work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Failure) && !(error instanceof ZooError)) throw error;
    const isGone = error instanceof ZooError && error.code === 'chat_not_found';
    say(call, isGone ? 'This chat was deleted elsewhere. /new starts another one.' : error.message);
    return null;
  }
}

async function send(chat: OpenChat, text: string): Promise<Next> {
  const message = await withFiles(text, chat.files);
  chat.files = [];
  return chat.client.call('sendMessage', { id: chat.id, body: { message } });
}

async function createChat(client: ZooClient, agent: string, options: ChatOptions): Promise<string> {
  const { id } = await client.call('createChat', {
    body: {
      agent,
      arguments: readPairs(options.arg ?? [], '--arg'),
      ...(options.model ? { model: options.model } : {}),
    },
  });
  return id;
}

/** Throws for a chat with another agent: the title would name one, and another would answer. */
async function resume(client: ZooClient, agent: string, start: string, options: ChatOptions): Promise<Chat> {
  if (options.arg)
    throw wrongUsage('--arg cannot be used with --resume: a chat keeps the arguments it was started with');
  const id = await fullChatId(client, start);
  const chat = await client.call('getChat', { id });
  if (chat.agentId !== agent)
    throw wrongUsage(
      `chat ${start} is with ${chat.agentId}, not with ${agent}`,
      `zoo chat ${chat.agentId} --resume ${start}`,
    );
  return options.model ? client.call('patchChat', { id, body: { model: options.model } }) : chat;
}
