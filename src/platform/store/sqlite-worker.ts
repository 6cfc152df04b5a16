import { parentPort, workerData } from 'node:worker_threads';
import { openConnection } from './sqlite-connection.ts';
import { type SqliteReply, type SqliteRequest, isThreadData } from './sqlite-messages.ts';
import { messageOf } from '../text/error-message.ts';

const port = parentPort;
if (!port) throw new Error('sqlite-worker runs in a worker thread');

if (!isThreadData(workerData)) throw new Error('sqlite-worker was started without its file');
const connection = openConnection(workerData.file, { readOnly: workerData.readOnly });

function answer({ id, kind, sql, params }: SqliteRequest): SqliteReply {
  if (kind === 'one') {
    const row = connection.one(sql, params);
    return row ? { id, rows: [row] } : { id };
  }
  if (kind === 'all') return { id, rows: connection.all(sql, params) };
  return { id, changes: connection.run(sql, params).changes };
}

function reply(request: SqliteRequest): SqliteReply {
  try {
    return answer(request);
  } catch (error) {
    return { id: request.id, error: messageOf(error) };
  }
}

/** Quick statements are answered together; nothing waits for a slow one behind it. */
const LONGEST_HELD_MS = 0.5;

port.on('message', (requests: SqliteRequest[] | 'close') => {
  if (requests === 'close') {
    connection.close();
    port.close();
    return;
  }
  let replies: SqliteReply[] = [];
  let since = performance.now();
  for (const request of requests) {
    replies.push(reply(request));
    if (performance.now() - since < LONGEST_HELD_MS) continue;
    port.postMessage(replies);
    replies = [];
    since = performance.now();
  }
  if (replies.length > 0) port.postMessage(replies);
});
