/** A name for a knowledge source: the last word of its path or address. Empty if it has none. */
export function suggestSourceName(place: string): string {
  const words = place
    .replace(/^\w+:\/\//, '')
    .replace(/\.git$/, '')
    .split(/[\\/:]/)
    .filter((word) => word !== '' && word !== '.');
  return (words.at(-1) ?? '')
    .replaceAll(/[^A-Za-z0-9_-]+/g, '-')
    .replaceAll(/^[-_]+|-+$/g, '')
    .toLowerCase();
}
