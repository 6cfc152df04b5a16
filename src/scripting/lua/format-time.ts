import { Fault } from './halt.ts';

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
export function formatTime(seconds: number, pattern: string | null): string {
  const at = new Date(seconds * 1000);
  if (Number.isNaN(at.getTime())) throw new Fault('time.format: the time is out of range');
  if (pattern === null) return at.toISOString();
  return pattern.replaceAll(/%(.?)/gs, (_whole, letter: string) => {
    const part = Object.hasOwn(parts, letter) ? parts[letter] : undefined;
    if (!part) throw new Fault(`time.format: unknown directive %${letter}`);
    return part(at);
  });
}
