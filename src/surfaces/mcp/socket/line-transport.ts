import type { Readable, Writable } from 'node:stream';
import {
  type JSONRPCMessage,
  type MessageExtraInfo,
  parseJSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/server';
import { createLineReader } from '../../../platform/bridge/lines.ts';
import { rejectInvalid } from './reject-invalid.ts';
import { asError } from '../../../platform/text/error-message.ts';

const MAX_LINE_BYTES = 10 * 1024 * 1024;

/**
 * One message per line over two streams. Unlike the SDK's own transport it answers requests that are not valid JSON-RPC;
 * lines that are not JSON are skipped.
 */
export class LineTransport implements Transport {
  onclose: (() => void) | undefined;
  onerror: ((error: Error) => void) | undefined;
  // oxlint-disable-next-line no-unnecessary-type-parameters -- the shape of the SDK's interface
  onmessage: (<T extends JSONRPCMessage>(message: T, extra?: MessageExtraInfo) => void) | undefined;
  readonly #input: Readable;
  readonly #output: Writable;
  #closed = false;
  #unread = 0;

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#output = output;
  }

  start(): Promise<void> {
    const read = createLineReader((line) => {
      this.#unread = 0;
      this.#receive(line);
    });
    this.#input.on('data', (chunk: Buffer) => {
      if (this.#closed) return;
      read(chunk);
      this.#unread = chunk.includes(0x0a)
        ? chunk.length - chunk.lastIndexOf(0x0a)
        : this.#unread + chunk.length;
      if (this.#unread > MAX_LINE_BYTES) this.#fail(new Error(`A message exceeds ${MAX_LINE_BYTES} bytes.`));
    });
    for (const event of ['end', 'close']) this.#input.once(event, () => void this.close());
    this.#input.on('error', (error) => this.onerror?.(error));
    this.#output.on('error', (error) => this.#fail(error));
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (this.#closed) return Promise.reject(new Error('The connection is closed.'));
    if (this.#output.write(`${JSON.stringify(message)}\n`)) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const settle = (error?: Error) => {
        this.#output.off('drain', drained).off('error', settle).off('close', closed);
        if (error) reject(error);
        else resolve();
      };
      const drained = () => settle();
      const closed = () => settle(new Error('The connection is closed.'));
      this.#output.once('drain', drained).once('error', settle).once('close', closed);
    });
  }

  close(): Promise<void> {
    if (this.#closed) return Promise.resolve();
    this.#closed = true;
    this.onclose?.();
    return Promise.resolve();
  }

  #fail(error: Error): void {
    if (this.#closed) return;
    this.onerror?.(error);
    void this.close();
  }

  #receive(line: Buffer): void {
    let body: unknown;
    try {
      body = JSON.parse(line.toString('utf8'));
    } catch {
      return;
    }
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(body);
    } catch {
      for (const answer of rejectInvalid(body))
        void this.send(answer).catch((error: Error) => this.onerror?.(error));
      return;
    }
    try {
      this.onmessage?.(message);
    } catch (error) {
      this.onerror?.(asError(error));
    }
  }
}
