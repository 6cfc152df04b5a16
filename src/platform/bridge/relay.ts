import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import type { Ledger, Step } from './ledger.ts';
import { createLineReader } from './lines.ts';
import { type Message, failure, readMessage, toLine } from './message.ts';
import { type Waiting, createWaiting } from './waiting.ts';
import { messageOf } from '../text/error-message.ts';

const MAX_UNHEARD = 500;
const RETRY_MS = 10_000;
/** Pause before reconnecting to a hub that closed the connection at once. */
const SHORT_LIFE_MS = 1000;
const LONGEST_PENALTY_MS = 5000;

export interface RelayOptions {
  input: Readable;
  output: Writable;
  ledger: Ledger;
  /** Connects to a hub; rejects with a message for the client. Called again after each lost connection. */
  reach(isWanted: () => boolean): Promise<Socket>;
}

export interface Relay {
  /** Whether a request is unanswered. */
  busy(): boolean;
  end(): void;
}

/**
 * Relays the messages of one client to the running hub, and its answers back. One function, since both directions
 * share the state of the connection.
 */
export function startRelay({ input, output, ledger, reach }: RelayOptions): Relay {
  const waiting: Waiting = createWaiting();
  let socket: Socket | null = null;
  let connecting = false;
  let connectedBefore = false;
  let stopped = false;
  let over = false;
  /** Whether the client has stopped reading. */
  let blocked = false;
  let penalty = 0;
  let wake: () => void = () => undefined;

  const isWanted = (): boolean => !over && (!stopped || ledger.pending > 0 || waiting.size > 0);

  const toClient = (line: Buffer): void => {
    if (output.write(line) || !socket || socket.isPaused()) return;
    const from = socket;
    from.pause();
    blocked = true;
    output.once('drain', () => {
      blocked = false;
      from.resume();
      input.resume();
    });
  };
  const toHub = (line: Buffer): void => {
    if (socket?.write(line) === false) input.pause();
  };
  const perform = (step: Step): void => {
    step.toClient.forEach(toClient);
    step.toHub.forEach(toHub);
  };

  function pass(message: Message, line: Buffer): void {
    const out = ledger.fromClient(message, line);
    if (out) toHub(out);
    // Otherwise the hub would buffer answers for a client that sends and does not read.
    if (blocked && ledger.pending > MAX_UNHEARD) input.pause();
  }

  function accept(message: Message, line: Buffer): void {
    if (socket && ledger.ready) return pass(message, line);
    const cancelled = message.kind === 'notification' ? ledger.cancelled(message) : null;
    // A lost hub has nothing left to cancel.
    if (cancelled !== null && (waiting.cancel(cancelled) || ledger.cancel(cancelled))) return;
    waiting.add(message, line);
    if (waiting.full) input.pause();
    if (!connecting) void connect();
    else wake();
  }

  function readClientLine(line: Buffer): void {
    const text = line.toString();
    if (text.trim() === '') return;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return toClient(failure(null, { code: -32_700, message: 'Parse error: this line is not JSON' }));
    }
    const message = readMessage(value);
    if (message) return accept(message, line);
    const parts: unknown[] = Array.isArray(value) ? value : [];
    if (parts.length === 0) return toClient(failure(null, notAMessage));
    // A batch of revision 2025-03-26: hubs take the messages one by one.
    for (const part of parts) {
      const each = readMessage(part);
      if (each) accept(each, toLine(each.fields));
      else toClient(failure(null, notAMessage));
    }
  }

  function flush(): void {
    if (!socket || !ledger.ready) return;
    for (const { message, line } of waiting.take()) pass(message, line);
    if (!socket.writableNeedDrain) input.resume();
  }

  function open(next: Socket): void {
    const openedAt = performance.now();
    socket = next;
    stopped = false;
    const read = createLineReader((line) => {
      const wasReady = ledger.ready;
      perform(ledger.fromHub(line));
      if (!wasReady) flush();
    });
    next.on('data', read);
    next.on('drain', () => input.resume());
    next.once('close', () => {
      socket = null;
      stopped = ledger.stopping;
      perform(ledger.lost());
      const short = performance.now() - openedAt < SHORT_LIFE_MS && !stopped;
      penalty = short ? Math.min(LONGEST_PENALTY_MS, Math.max(50, penalty * 2)) : 0;
      input.resume();
      if (!over) void connect();
    });
    if (connectedBefore) perform(ledger.reopened());
    connectedBefore = true;
    flush();
  }

  async function connect(): Promise<void> {
    connecting = true;
    if (penalty > 0) await new Promise((resolve) => setTimeout(resolve, penalty));
    try {
      const next = await reach(isWanted);
      connecting = false;
      if (over) next.destroy();
      else open(next);
    } catch (error) {
      giveUp(messageOf(error));
      // Without a connection, a client with a session would miss changes until its next request.
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (ledger.established) setTimeout(resolve, RETRY_MS);
      });
      wake = () => undefined;
      if (!over) void connect();
    }
  }

  function giveUp(reason: string): void {
    ledger.failed(reason).forEach(toClient);
    for (const { message } of waiting.take()) {
      if (message.kind === 'request') toClient(failure(message.id, ledger.unavailable(reason)));
    }
    input.resume();
  }

  input.on('data', createLineReader(readClientLine));
  void connect();
  return {
    busy: () => ledger.pending + waiting.size > 0,
    end() {
      over = true;
      socket?.end();
    },
  };
}

const notAMessage = { code: -32_600, message: 'Invalid request: not a JSON-RPC message' };
