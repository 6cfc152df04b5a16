import type { Implements } from '../../contract/api.ts';
import { renderTranscript } from '../../runner/chats/render-transcript.ts';
import type { Chats } from '../../runner/chats/chats.ts';
import { exported, modelsOf, partsOf } from './implement-runs.ts';

export function implementChats(chats: Chats): Implements<'chats'> {
  return {
    createChat({ body }, context) {
      const { agent, model, revision, definition, ...rest } = body;
      const version = revision || definition ? { revision, definition } : undefined;
      return chats.create({ ...rest, agentId: agent, models: modelsOf(model), version }, context);
    },
    listChats: ({ agent, limit = 50, offset = 0 }, context) =>
      chats.list({ agentId: agent, limit, offset }, context),
    getChat: ({ id }, context) => chats.get(id, context),
    patchChat: ({ id, body: { title, model, head, agent, headless } }, context) =>
      chats.update(
        id,
        {
          ...(title === undefined ? {} : { title }),
          ...(model === undefined ? {} : { models: model === null ? null : [model].flat() }),
          ...(head === undefined ? {} : { head }),
          ...(agent === undefined ? {} : { agentId: agent }),
          ...(headless === undefined ? {} : { headless }),
        },
        context,
      ),
    async deleteChat({ id }, context) {
      await chats.erase(id, context);
      return null;
    },
    sendMessage: ({ id, body: { message, previous } }, context) =>
      chats.send(id, partsOf(message), { previous }, context),
    retryMessage: ({ id, body = {} }, context) =>
      chats.retry(id, { run: body.run, models: modelsOf(body.model) }, context),
    cancelTurn: async ({ id }, context) => ({ run: await chats.cancel(id, context) }),
    followChat: ({ id, ...from }, context) => chats.follow(id, from, context),
    getChatStats: ({ id }, context) => chats.stats(id, context),
    async exportChat({ id, format = 'markdown' }, context) {
      const { chat, runs } = await chats.transcript(id, context);
      return exported(`chat-${id.slice(0, 8)}`, format, { chat, runs }, () =>
        renderTranscript(chat.title === '' ? `Chat with ${chat.agentId}` : chat.title, runs),
      );
    },
  };
}
