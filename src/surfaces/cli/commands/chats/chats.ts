import type { ZooClient } from '../../../../contract/api.ts';
import type { Chat, ChatStats } from '../../../../contract/chat.ts';
import { withClient } from '../../hub-access/with-client.ts';
import { type Invocation, print, say } from '../../invocation.ts';
import { completeId } from '../../input/id-prefix.ts';
import { indent, localTime, plural, renderFacts, shortTime } from '../../render/layout.ts';
import { type Cell, renderTable } from '../../render/table.ts';

export interface ChatListOptions {
  agent?: string;
  limit?: number;
}

export async function listChats(call: Invocation, { agent, limit }: ChatListOptions): Promise<void> {
  const answer = await withClient(call, (client) =>
    client.call('listChats', {
      ...(agent === undefined ? {} : { agent }),
      ...(limit === undefined ? {} : { limit }),
    }),
  );
  print(call, answer, () =>
    renderTable(
      answer.chats.map((chat): Cell[] => [
        chat.id.slice(0, 8),
        { text: chat.agentId, style: 'bold' },
        shortTime(chat.updatedAt),
        plural(chat.turns, 'turn'),
        chat.title,
      ]),
      call,
      { columns: [{}, { max: 24, min: 8, keep: true }, { optional: true }, { optional: true }, { min: 16 }] },
    ).join('\n'),
  );
  if (!call.json && answer.chats.length === 0)
    say(
      call,
      agent === undefined
        ? 'No chats yet. `zoo chat AGENT` starts one.'
        : `No chats with agent '${agent}'. \`zoo chat ${agent}\` starts one.`,
    );
}

export async function showChat(call: Invocation, id: string): Promise<void> {
  const { chat, stats } = await withClient(call, async (client) => {
    const full = await fullChatId(client, id);
    const [found, counted] = await Promise.all([
      client.call('getChat', { id: full }),
      client.call('getChatStats', { id: full }),
    ]);
    return { chat: found, stats: counted };
  });
  print(call, { ...chat, stats }, () => renderChat(chat, stats, call));
}

export async function exportChat(call: Invocation, id: string): Promise<void> {
  const { content } = await withClient(call, async (client) =>
    client.call('exportChat', { id: await fullChatId(client, id), format: call.json ? 'json' : 'markdown' }),
  );
  call.terminal.out.verbatim(content);
}

export async function deleteChat(call: Invocation, id: string): Promise<void> {
  const full = await withClient(call, async (client) => {
    const found = await fullChatId(client, id);
    await client.call('deleteChat', { id: found });
    return found;
  });
  print(call, { deleted: full }, () => `Chat ${full} deleted.`);
}

/** A chat by a prefix of its id. */
export async function fullChatId(client: ZooClient, id: string): Promise<string> {
  if (id.length >= 36) return id;
  const { chats } = await client.call('listChats', { limit: 1_000 });
  const ids = chats.map((chat) => chat.id);
  return completeId(id, ids, 'chats');
}

function renderChat(chat: Chat, { usage, toolCalls }: ChatStats, call: Invocation): string {
  const price = usage.usd ? `, $${usage.usd.toFixed(4)}` : '';
  const facts: [string, string][] = [
    ['Chat', chat.id],
    ['Title', chat.title],
    ['Agent', chat.agentId],
    ['Started', localTime(chat.createdAt)],
    ['Usage', `${usage.inputTokens + usage.outputTokens} tokens, ${plural(toolCalls, 'tool call')}${price}`],
  ];
  const turns = chat.history.filter(({ runId }) => chat.branch.includes(runId));
  const other = chat.history.length - turns.length;
  return [
    renderFacts(facts, call),
    ...turns.flatMap(({ input, text, error }) => [
      call.paint('bold', 'You'),
      indent(
        input
          .map((part) => (part.type === 'text' ? part.text : `[${part.name ?? part.mediaType}]`))
          .join('\n'),
      ),
      call.paint('bold', chat.agentId),
      indent(error ? `${text}\n${error.message}`.trim() : text),
    ]),
    ...(other > 0 ? [call.paint('dim', `${plural(other, 'turn')} in other branches`)] : []),
  ].join('\n');
}
