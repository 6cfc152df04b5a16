import { parentPort, workerData } from 'node:worker_threads';
import { openConnection } from './sqlite-connection.ts';
import { answerStatements } from './answer-statements.ts';
import { type SqliteReply, type SqliteRequest, isThreadData } from './sqlite-messages.ts';

const port = parentPort;
if (!port) throw new Error('sqlite-worker runs in a worker thread');

if (!isThreadData(workerData)) throw new Error('sqlite-worker was started without its file');
const connection = openConnection(workerData.file, { readOnly: workerData.readOnly });
const reply = answerStatements(connection);

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
