import { createHash, createHmac, randomUUID } from 'node:crypto';
import { messageOf } from '../../platform/text/error-message.ts';
import { Fault } from './halt.ts';
import type { HostFunction } from './host-function.ts';
import type { HostValue } from './host-value.ts';
import { parseJson } from './json-text.ts';

/** Functions that run in the thread itself, without asking the hub. Stateless. */
export const localFunctions: Record<string, HostFunction> = {
  'json.parse': (args) => parseText(args.text(1)),
  'json.encode': (args) => {
    const indent = args.has(2) ? args.json(2) : null;
    return JSON.stringify(args.json(1), null, indent === true ? 2 : undefined);
  },
  'base64.encode': (args) => Buffer.from(args.bytes(1)).toString('base64'),
  'base64.decode': (args) => {
    const text = args.looseText(1);
    if (!/^[\w+/-]*={0,2}\s*$/.test(text.replaceAll(/\s/g, '')))
      throw new Fault('base64.decode: the text is not base64');
    return Buffer.from(text, 'base64');
  },
  'crypto.sha256': (args) => createHash('sha256').update(args.bytes(1)).digest('hex'),
  'crypto.hmac_sha256': (args) => createHmac('sha256', args.bytes(1)).update(args.bytes(2)).digest('hex'),
  'crypto.uuid': () => randomUUID(),
  'time.now': () => Date.now() / 1000,
  'time.format': (args) =>
    formatTime(args.has(1) ? args.number(1) : Date.now() / 1000, args.has(2) ? args.text(2) : null),
};

function parseText(text: string): HostValue {
  try {
    return parseJson(text);
  } catch (error) {
    throw new Fault(`json.parse: ${messageOf(error)}`);
  }
}

const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const two = (value: number) => String(value).padStart(2, '0');

const parts: Readonly<Record<string, (at: Date) => string>> = {
  Y: (at) => String(at.getUTCFullYear()),
  m: (at) => two(at.getUTCMonth() + 1),
  d: (at) => two(at.getUTCDate()),
  H: (at) => two(at.getUTCHours()),
  M: (at) => two(at.getUTCMinutes()),
  S: (at) => two(at.getUTCSeconds()),
  A: (at) => days[at.getUTCDay()] ?? '',
  a: (at) => (days[at.getUTCDay()] ?? '').slice(0, 3),
  B: (at) => months[at.getUTCMonth()] ?? '',
  b: (at) => (months[at.getUTCMonth()] ?? '').slice(0, 3),
  F: (at) => at.toISOString().slice(0, 10),
  T: (at) => at.toISOString().slice(11, 19),
  Z: () => 'UTC',
  '%': () => '%',
};

/** A time in UTC, as ISO 8601 or by a pattern as in Lua's `os.date`. */
function formatTime(seconds: number, pattern: string | null): string {
  const at = new Date(seconds * 1000);
  if (Number.isNaN(at.getTime())) throw new Fault('time.format: the time is out of range');
  if (pattern === null) return at.toISOString();
  return pattern.replaceAll(/%(.?)/gs, (_whole, letter: string) => {
    const part = Object.hasOwn(parts, letter) ? parts[letter] : undefined;
    if (!part) throw new Fault(`time.format: unknown directive %${letter}`);
    return part(at);
  });
}
