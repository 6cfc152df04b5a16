/** Text that behaves like text: few words are frequent, most are rare, and documents have subjects. */

const SYLLABLES =
  'ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo yu zan bren cor del fin gal'.split(' ');

export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** The word of a rank, always the same. */
function wordOf(rank: number): string {
  let rest = rank + 30;
  let word = '';
  while (rest > 0) {
    word += SYLLABLES[rest % SYLLABLES.length] ?? '';
    rest = Math.floor(rest / SYLLABLES.length);
  }
  return word;
}

const VOCABULARY = 60_000;

/** Ranks after Zipf: the inverse of its distribution function, for an exponent of one. */
const zipfRank = (random: () => number): number => Math.floor(Math.exp(random() * Math.log(VOCABULARY))) - 1;

export interface GeneratedDocument {
  path: string;
  title: string;
  text: string;
}

/** Markdown of so many sections, each of which makes one chunk. */
export function generateDocument(number: number, sections: number, words: number): GeneratedDocument {
  const random = createRandom(number + 1);
  const subject = Array.from({ length: 12 }, () => 200 + Math.floor(random() * 20_000));
  const word = () =>
    wordOf(random() < 0.15 ? subject[Math.floor(random() * subject.length)]! : zipfRank(random));
  const sentence = () => `${Array.from({ length: 8 + Math.floor(random() * 10) }, word).join(' ')}.`;
  const title = `${word()} ${word()} ${number}`;
  const parts = Array.from({ length: sections }, () => {
    let body = '';
    for (let size = 0; size < words; size += 12) body += `${sentence()} `;
    return `## ${word()} ${word()}\n\n${body.trim()}\n`;
  });
  return { path: `folder${number % 50}/file${number}.md`, title, text: `# ${title}\n\n${parts.join('\n')}` };
}

/** Words that people would ask for: neither the most frequent nor the rarest. */
export function generateQuery(random: () => number, words: number): string[] {
  return Array.from({ length: words }, () => wordOf(Math.floor(30 * Math.exp(random() * Math.log(60)))));
}
