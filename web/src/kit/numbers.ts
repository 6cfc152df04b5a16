const whole = new Intl.NumberFormat(undefined);
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
/** Words of a sentence, and the interface speaks English; only numbers and dates follow the locale of the user. */
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** Numbers and dates in the locale of the user. */
export const formatNumber = (value: number): string => whole.format(value);

/** "0.85", or "0,85": always with as many digits after the point. */
export const formatDecimal = (value: number, digits: number): string =>
  value.toLocaleString(undefined, { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** "1,118 tokens", "1 tool". */
export const formatCount = (value: number, noun: string, plural = `${noun}s`): string =>
  `${whole.format(value)} ${value === 1 ? noun : plural}`;

/** "12 kB", "3.4 MB". */
export function formatBytes(bytes: number): string {
  const unit = byteUnits.find(([, size]) => bytes >= size) ?? ['B', 1];
  const amount = bytes / unit[1];
  return `${amount < 10 && unit[1] > 1 ? formatDecimal(amount, 1) : whole.format(Math.round(amount))} ${unit[0]}`;
}

const byteUnits: readonly [unit: string, size: number][] = [
  ['GB', 1e9],
  ['MB', 1e6],
  ['kB', 1e3],
];

/** "3.2 ms", "480 ms", "1.5 s". */
export function formatDuration(ms: number): string {
  if (ms < 10) return `${formatDecimal(ms, 1)} ms`;
  return ms < 1000 ? `${Math.round(ms)} ms` : `${formatDecimal(ms / 1000, 1)} s`;
}

export const formatMoment = (iso: string): string => moment.format(new Date(iso));

const steps: readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

/** "3 minutes ago"; a date for what is older than a week. */
export function formatAgo(iso: string, now: number = Date.now()): string {
  const seconds = (now - Date.parse(iso)) / 1000;
  if (seconds > 7 * 86_400) return day.format(new Date(iso));
  for (const [unit, size] of steps) {
    if (seconds >= size) return relative.format(-Math.floor(seconds / size), unit);
  }
  return 'just now';
}
