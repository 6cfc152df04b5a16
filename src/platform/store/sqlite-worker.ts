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

port.on('message', (request: SqliteRequest | 'close') => {
  if (request === 'close') {
    connection.close();
    port.close();
    return;
  }
  let reply: SqliteReply;
  try {
    reply = answer(request);
  } catch (error) {
    reply = { id: request.id, error: messageOf(error) };
  }
  port.postMessage(reply);
});
