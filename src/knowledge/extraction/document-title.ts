const TITLE_WITHIN = 4_096;

const headings = [
  /^#{1,2}[ \t]+(?<title>\S.*)$/gm,
  /^(?<title>\S.*)\n=+[ \t]*$/gm,
  /<h1\b[^>]*>(?<title>[^]*?)<\/h1>/gi,
];

/** The first heading of a Markdown text as it is read, without badges: `#`, `##`, underlined with `===`, or `<h1>`. */
export function titleOf(text: string): string | null {
  const start = text.slice(0, TITLE_WITHIN);
  const found = headings
    .flatMap((heading) => [...start.matchAll(heading)])
    .toSorted((a, b) => a.index - b.index);
  for (const { groups } of found) {
    const title = plainHeading(groups?.title ?? '');
    if (title !== '') return title;
  }
  return null;
}

const HEADING_LENGTH = 1_000;

/** A heading without markup. Badges and images are dropped, unless an image is all there is: then its text is used. */
export function plainHeading(heading: string): string {
  // Bounded, since these expressions take quadratic time at worst.
  const written = heading.slice(0, HEADING_LENGTH).replace(/[ \t]#+[ \t]*$/, '');
  const text = withoutMarkup(
    written
      .replace(/\[!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])\](?:\([^)]*\)|\[[^\]]*\])/g, ' ')
      .replace(/!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])/g, ' '),
  );
  if (text !== '') return text;
  const image = /!\[([^\]]*)\]|<img\b[^>]*?\balt\s*=\s*["']([^"']*)/i.exec(written);
  return withoutMarkup(image?.[1] ?? image?.[2] ?? '');
}

function withoutMarkup(text: string): string {
  return text
    .replace(/\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, '$1')
    .replace(/<[^>]+>|\{#[^}]*\}/g, ' ')
    .replace(/(\*\*|__|`|\*)(?=\S)(.*?)(?<=\S)\1/g, '$2')
    .replace(/&(amp|lt|gt|quot|nbsp);/g, (_, name: string) => entities[name] ?? ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' };
