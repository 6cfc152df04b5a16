const whole = new Intl.NumberFormat(undefined);
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });

/** Numbers and dates in the locale of the user. */
export const formatNumber = (value: number): string => whole.format(value);

/** "1,118 tokens", "1 tool". */
export const formatCount = (value: number, noun: string, plural = `${noun}s`): string =>
  `${whole.format(value)} ${value === 1 ? noun : plural}`;

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
