const secretKey =
  /authorization|cookie|secret|password|passwd|credential|api[-_]?key|private[-_]?key|^token$|[-_a-z]token$|session/i;
const secretTexts: readonly [RegExp, string][] = [
  [/\bzoo_(?:agent_)?[\w-]{16,}/g, 'zoo_[redacted]'],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/gi, '$1 [redacted]'],
  [/([?&](?:code|token|key|api_key|access_token|secret)=)[^&\s"']+/gi, '$1[redacted]'],
  [/(\/\/[^/\s:@]+:)[^/\s@]+@/g, '$1[redacted]@'],
];
const depthLimit = 8;

/** Whether a name suggests a secret value. */
export const isSecretKey = (key: string): boolean => secretKey.test(key);

/** Masks values that look like secrets, by key or by shape. Errors become plain objects with their stack. */
export function redact(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, redactValue(key, value, 0)]));
}

export function redactText(text: string): string {
  return secretTexts.reduce((shown, [pattern, instead]) => shown.replaceAll(pattern, instead), text);
}

function redactValue(key: string, value: unknown, depth: number): unknown {
  // Counts, such as `tokens: 812`, are no secrets.
  if (isSecretKey(key) && (typeof value === 'string' || typeof value === 'object') && value !== null)
    return '[redacted]';
  if (typeof value === 'string') return redactText(value);
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= depthLimit) return '[deep]';
  if (value instanceof Error) {
    const { name, message, stack } = value;
    return redactEntries({ ...Object.fromEntries(Object.entries(value)), name, message, stack }, depth);
  }
  if (Array.isArray(value)) return value.map((item) => redactValue(key, item, depth + 1));
  return redactEntries(value, depth);
}

function redactEntries(value: object, depth: number): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, redactValue(key, item, depth + 1)]),
  );
}
