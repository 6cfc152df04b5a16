import { createIndexWriter } from '../src/knowledge/index/create-index-writer.ts';
import type { SourceKey } from '../src/knowledge/index/index-reader.ts';

const CHUNKS = 5;
const WORDS = 120;

/** The same numbers in every run, between 0 and 1. */
function createDice(): () => number {
  let state = 42;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

/** Words as texts have them: a few everywhere, most of them rarely. Gives some that documents hold. */
export function fillIndex(file: string, source: SourceKey, chunks: number): string[] {
  const dice = createDice();
  const syllables = ['ba', 'ko', 'ri', 'mel', 'to', 'sun', 'ga', 'per', 'li', 'dor', 'ne', 'vash'];
  const words = Array.from({ length: 8_000 }, () =>
    Array.from({ length: 2 + Math.floor(dice() * 3) }, () => syllables[Math.floor(dice() * 12)]).join(''),
  );
  const word = () => words[Math.floor(words.length * dice() ** 3)] ?? '';
  const writer = createIndexWriter({ file });
  const id = writer.openSource(source, '/somewhere');
  writer.batch(() => {
    for (let n = 0; n < chunks / CHUNKS; n++) {
      const title = `${word()} ${word()}`;
      const bodies = Array.from({ length: CHUNKS }, () => Array.from({ length: WORDS }, word).join(' '));
      const path = `notes/${n}.md`;
      writer.put(
        id,
        { path, fingerprint: '1', contentHash: `${n}`, settingsHash: 's', bytes: 5_000, problem: null },
        {
          title,
          text: bodies.join('\n\n'),
          mimeType: 'text/markdown',
          metadata: {},
          url: null,
          updatedAt: null,
        },
        bodies.map((body, at) => ({
          headings: [title],
          body,
          tokens: 200,
          lineStart: 2 * at + 1,
          lineEnd: 2 * at + 1,
        })),
      );
    }
  });
  writer.finish(id, { at: new Date().toISOString(), error: null, checkpoint: null, skipped: 0 });
  writer.close();
  const rare = () => words[Math.floor(words.length * dice())] ?? '';
  return Array.from({ length: 3 }, () => `${rare()} ${rare()} ${word()}`);
}
