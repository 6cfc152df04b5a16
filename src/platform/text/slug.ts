import anyAscii from 'any-ascii';

const foreign = /[^\0-\x7f]/;

/** A URL-safe id from a name in any script: `Größe 深圳` becomes `grosse-shenzhen`. */
export function slug(name: string, fallback: string): string {
  const plain = name.normalize('NFKC');
  // The table is large, so it is loaded only if needed.
  const ascii = (foreign.test(plain) ? anyAscii(plain) : plain)
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1-$2')
    .toLowerCase()
    .replace(/['`]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 56)
    .replace(/^-+|-+$/g, '');
  return ascii || fallback;
}

/** The first of `base`, `base-2`, `base-3`, … that is free. */
export function firstFree(base: string, taken: (id: string) => boolean): string {
  if (!taken(base)) return base;
  for (let n = 2; ; n++) {
    const id = `${base}-${n}`;
    if (!taken(id)) return id;
  }
}
