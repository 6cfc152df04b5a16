import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';

export interface StdioCaller {
  pid: number;
  /** Resolves with the line that answers. One call at a time. */
  call(method: string, params?: object): Promise<string>;
  close(): Promise<void>;
}

/** A client that does as little as possible, so that what is measured is the server. */
export function startCaller(args: readonly string[], env: NodeJS.ProcessEnv, cwd: string): StdioCaller {
  const child: ChildProcessByStdio<Writable, Readable, null> = spawn(process.execPath, args, {
    env,
    cwd,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let id = 0;
  let text = '';
  let answered: (line: string) => void = () => undefined;
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
      const line = text.slice(0, end);
      text = text.slice(end + 1);
      // Notifications are nobody's answer.
      if (line.includes(`"id":${id}`)) answered(line);
    }
  });
  return {
    pid: child.pid ?? 0,
    call(method, params = {}) {
      id += 1;
      const answer = new Promise<string>((resolve, reject) => {
        answered = (line) => (line.includes('"error":{') ? reject(new Error(line)) : resolve(line));
      });
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
      return answer;
    },
    async close() {
      const ended = once(child, 'exit');
      child.stdin.end();
      await ended;
    },
  };
}

const clientInfo = { name: 'bench', version: '1' };
export const initialize = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };

/** What every request of the newest revision carries. */
export const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': clientInfo,
  'io.modelcontextprotocol/clientCapabilities': {},
};
