import type { ZooClient } from '../../../../contract/api.ts';
import { withClient } from '../../hub-access/with-client.ts';
import { readPairs } from '../../input/name-value-pairs.ts';
import { type Invocation, say } from '../../invocation.ts';
import { Failure } from '../../output/failure.ts';
import { withFiles } from '../runs/attach-files.ts';
import { followRun } from '../runs/follow-run.ts';
import { fullChatId } from './chats.ts';

export interface ChatOptions {
  arg?: string[];
  model?: string[];
  resume?: string;
  file?: string[];
}

/** A conversation in the terminal. Ctrl-C cancels the answer under way; at the prompt it ends the conversation. */
export async function chat(call: Invocation, agent: string, options: ChatOptions): Promise<void> {
  const { asker } = call.terminal;
  if (!asker)
    throw new Failure('a chat needs a terminal', {
      hints: [`zoo run ${agent} "what to do" works without one`],
    });
  await withClient(call, async (client) => {
    const id = await openChat(client, agent, options);
    say(call, `Chat ${id.slice(0, 8)} with ${agent}. /retry asks again, /exit ends it.`);
    let files = options.file ?? [];
    for (;;) {
      const said = (await asker.text('You'))?.trim();
      if (said === undefined || said === '/exit') break;
      if (said === '') continue;
      const { runId } =
        said === '/retry'
          ? await client.call('retryMessage', { id })
          : await client.call('sendMessage', { id, body: { message: await withFiles(said, files) } });
      files = [];
      await takeTurn(call, client, runId);
    }
    say(call, `zoo chat ${agent} --resume ${id.slice(0, 8)} continues this chat.`);
  });
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

/** A turn that fails or is cancelled does not end the chat. */
async function takeTurn(call: Invocation, client: ZooClient, runId: string): Promise<void> {
  try {
    await followRun(call, client, runId);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    say(call, error.message);
  }
}
