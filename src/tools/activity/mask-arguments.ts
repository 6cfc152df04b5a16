import { redact, redactText } from '../../platform/text/redact.ts';

const LONGEST_TEXT = 300;
const LONGEST = 2_000;
const MOST_ITEMS = 20;
const DEEPEST = 6;
/** Longer texts are cut before they are scanned. */
const SCANNED = 50_000;
const MASKED = '[redacted]';

/** The arguments of a call as JSON for people: short, and without secrets. */
export function maskArguments(args: Record<string, unknown>, secrets: readonly string[]): string {
  // Mask by key first, so that no part of a secret survives the cut.
  const bounded = bound(redactKeys(args), secrets, 0);
  return cut(JSON.stringify(bounded), LONGEST);
}

export function maskText(text: string, secrets: readonly string[]): string {
  const scanned = text.slice(0, SCANNED);
  return secrets.reduce((shown, secret) => shown.replaceAll(secret, MASKED), redactText(scanned));
}

function redactKeys(args: Record<string, unknown>): Record<string, unknown> {
  const short = (value: unknown, depth: number): unknown => {
    if (typeof value === 'string') return value.slice(0, SCANNED);
    if (typeof value !== 'object' || value === null) return value;
    if (depth > DEEPEST) return '…';
    if (Array.isArray(value)) return value.slice(0, MOST_ITEMS + 1).map((item) => short(item, depth + 1));
    const entries = Object.entries(value).slice(0, MOST_ITEMS + 1);
    return Object.fromEntries(entries.map(([key, item]) => [key, short(item, depth + 1)]));
  };
  const copy = Object.entries(args).slice(0, MOST_ITEMS + 1);
  return redact(Object.fromEntries(copy.map(([key, value]) => [key, short(value, 1)])));
}

function bound(value: unknown, secrets: readonly string[], depth: number): unknown {
  if (typeof value === 'string') return cut(maskText(value, secrets), LONGEST_TEXT);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.slice(0, MOST_ITEMS).map((item) => bound(item, secrets, depth + 1));
    return value.length > MOST_ITEMS ? [...items, '…'] : items;
  }
  const entries = Object.entries(value);
  const shown = entries
    .slice(0, MOST_ITEMS)
    .map(([key, item]): [string, unknown] => [
      cut(maskText(key, secrets), LONGEST_TEXT),
      bound(item, secrets, depth + 1),
    ]);
  if (entries.length > MOST_ITEMS) shown.push(['…', '…']);
  return Object.fromEntries(shown);
}

function cut(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}…`;
}
