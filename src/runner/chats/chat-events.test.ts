import { expect, it } from 'vitest';
import { attachedTo } from '../../../test/attached-to-signal.ts';
import { tempFolder } from '../../../test/temp-folder.ts';
import { openSqlite } from '../../platform/store/databases/sqlite.ts';
import { createChatNews } from './chat-events.ts';

it('leaves nothing at the signal of a follower after each wait', async () => {
  await using folder = await tempFolder();
  const db = await openSqlite(`${folder.path}/zoo.db`, { threads: false });
  const news = createChatNews(db);
  const { signal } = new AbortController();
  for (let n = 0; n < 20; n++) {
    const told = news.wait('chat', db.version(), signal);
    news.tell('chat');
    await told;
  }
  expect(attachedTo(signal)).toBe(0);
  await db.close();
});
