const MASK = '[redacted]';

/** Replaces known secrets by value, in everything that leaves the hub. */
export interface SecretMask {
  /** A rotated secret stays known: it may still be in a log, an index or an answer. */
  learn(secrets: Iterable<string>): void;
  /** The forms of a secret to search for, longest first. */
  values(): readonly string[];
  text(text: string): string;
  /**
   * Returns the same value if it contains no secret, otherwise a copy. Only changes texts in plain objects and
   * arrays.
   */
  value<T>(value: T): T;
}

export function createSecretMask(secrets: Iterable<string> = []): SecretMask {
  const known = new Set<string>();
  let forms: readonly string[] = [];

  const learn = (learned: Iterable<string>): void => {
    for (const secret of learned) for (const form of formsOf(secret)) known.add(form);
    // A secret that contains another one is replaced as a whole.
    if (known.size !== forms.length) forms = [...known].toSorted((a, b) => b.length - a.length);
  };
  learn(secrets);
  const text = (from: string): string => maskText(from, forms);

  return {
    learn,
    values: () => forms,
    text,
    value: (value) => (forms.length === 0 ? value : mapTexts(value, text)),
  };
}

/** A secret as written in a URL, in JSON and in a `Basic` header. */
function formsOf(secret: string): string[] {
  const encoded = Buffer.from(secret).toString('base64');
  const forms = [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), encoded];
  return forms.filter((form) => form !== '');
}

function maskText(text: string, secrets: readonly string[]): string {
  return secrets.reduce(
    (shown, secret) => (shown.includes(secret) ? shown.replaceAll(secret, MASK) : shown),
    text,
  );
}

/**
 * Maps every text in a value; unchanged objects are not copied. The overload tells the compiler that a copy has the
 * type of the original. Keys are not mapped, since they are ours.
 */
function mapTexts<T>(value: T, change: (text: string) => string): T;
function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const before: readonly unknown[] = value;
    const items = before.map((item) => mapTexts(item, change));
    return items.some((item, index) => item !== before[index]) ? items : before;
  }
  if (!isPlain(value)) return value;
  let changed = false;
  const entries = Object.entries(value).map(([key, item]: [string, unknown]) => {
    const shown = mapTexts(item, change);
    changed ||= shown !== item;
    return [key, shown] as const;
  });
  return changed ? Object.fromEntries(entries) : value;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
