const MASK = '[redacted]';
/** A shorter secret that is a plain word is not masked in keys, most of which are the hub's own. */
const LONG = 8;

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
  let inKeys: readonly string[] = [];

  const learn = (learned: Iterable<string>): void => {
    for (const secret of learned) for (const form of formsOf(secret)) known.add(form);
    // A secret that contains another one is replaced as a whole.
    if (known.size === forms.length) return;
    forms = [...known].toSorted((a, b) => b.length - a.length);
    inKeys = forms.filter((form) => form.length >= LONG || !/^[a-z_]+$/i.test(form));
  };
  learn(secrets);
  const text = (from: string): string => maskText(from, forms);
  const key = (from: string): string => maskText(from, inKeys);

  return {
    learn,
    values: () => forms,
    text,
    value: (value) => (forms.length === 0 ? value : mapTexts(value, { text, key })),
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

interface Changes {
  text(text: string): string;
  key(key: string): string;
}

/**
 * Maps every text in a value; unchanged objects are not copied. The overload tells the compiler that a copy has the
 * type of the original.
 */
function mapTexts<T>(value: T, changes: Changes): T;
function mapTexts(value: unknown, changes: Changes): unknown {
  if (typeof value === 'string') return changes.text(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const before: readonly unknown[] = value;
    const items = before.map((item) => mapTexts(item, changes));
    return items.some((item, index) => item !== before[index]) ? items : before;
  }
  if (!isPlain(value)) return value;
  let changed = false;
  const entries = Object.entries(value).map(([key, item]: [string, unknown]) => {
    const shown = mapTexts(item, changes);
    const shownKey = changes.key(key);
    changed ||= shown !== item || shownKey !== key;
    return [shownKey, shown] as const;
  });
  return changed ? Object.fromEntries(entries) : value;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
