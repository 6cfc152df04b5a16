import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { callContext } from '../../../test/call-context.ts';
import { runRequest } from '../../../test/run-request.ts';
import { tempFolder } from '../../../test/temp-folder.ts';
import { openSqlite } from '../../platform/store/databases/index.ts';
import { createRunMessages } from '../runs/run-messages.ts';
import { createRunStore } from '../runs/run-store.ts';
import { createChatNews } from './chat-events.ts';
import { createChatStore } from './chat-store.ts';
import { createSender } from './send-message.ts';

describe.each([{ threads: false }, { threads: true }])('messages to a chat ($threads)', ({ threads }) => {
  it('join the turn that another one starts at the same moment', async () => {
    await using folder = await tempFolder();
    const db = await openSqlite(`${folder.path}/zoo.db`, { threads });
    const now = () => new Date('2026-11-15T12:00:00Z');
    const [store, runs] = [createChatStore(db, now), createRunStore(db, now)];
    const sender = createSender({
      store,
      runner: {
        start: ({ chat }) => runs.create(runRequest(randomUUID(), { chat }), { revision: 0 }),
      },
      messages: createRunMessages(db, now),
      news: createChatNews(db),
      visible: store.head,
    });
    await store.create({
      id: 'c1',
      agentId: 'ada',
      workspace: 'w',
      caller: 'operator',
      callerKey: 'operator',
      surface: 'cli',
      title: '',
      arguments: {},
      models: null,
      headless: false,
      outputSchema: null,
      version: null,
    });
    const send = (text: string) => sender.send('c1', [{ type: 'text', text }], {}, callContext());
    const sent = await Promise.all(['One', 'Two', 'Three'].map(send));
    expect(sent.filter(({ joined }) => !joined)).toHaveLength(1);
    expect(new Set(sent.map(({ runId }) => runId)).size).toBe(1);
    await db.close();
  });
});
