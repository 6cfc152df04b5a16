import { describe, expect, it } from 'vitest';
import type { SearchAnswer } from '../../../contract/knowledge.ts';
import { plain } from '../output/paint.ts';
import { renderSearch } from './search.ts';

const answer = (snippet: string): SearchAnswer => ({
  mode: 'keyword',
  notes: [],
  results: [
    {
      id: 'abc',
      title: 'Runbook',
      headings: ['Queue'],
      snippet,
      score: 3,
      relevance: 0.5,
      source: 'filesystem:docs',
      path: 'run.md',
      url: 'https://example.com/run',
      updated_at: null,
      metadata: {},
      passages: [{ id: 'abc#0', headings: ['Queue'], snippet, score: 3, lineStart: 1, lineEnd: 4 }],
    },
  ],
});
const colours = { bold: 1, dim: 2 } as Record<string, number>;
const paint = (style: string, text: string) => `\u001b[${colours[style]}m${text}\u001b[0m`;

describe('search results', () => {
  it('colours titles, places and matches', () => {
    const shown = renderSearch(answer('Drain the **queue** now.'), { paint, columns: Infinity });
    expect(shown).toBe(
      '1. \u001b[1mRunbook\u001b[0m\n' +
        '   filesystem:docs  run.md  relevance 0.50  abc\n' +
        '   https://example.com/run\n' +
        '\u001b[2m   Queue › lines 1-4\u001b[0m\n' +
        '     Drain the \u001b[1mqueue\u001b[0m now.',
    );
  });

  it('leaves the stars of code alone', () => {
    const code =
      "chok.watch('/**/*.js') and a ** b, f(**options, b=**more), x**y**2, src/**/**test**/**, **queue**.";
    const shown = renderSearch(answer(code), { paint, columns: Infinity });
    expect(shown.split('\n').at(-1)).toBe(
      "     chok.watch('/**/*.js') and a ** b, f(**options, b=**more), x**y**2, src/**/\u001b[1mtest\u001b[0m/**, \u001b[1mqueue\u001b[0m.",
    );
  });

  it('wraps at words', () => {
    const shown = renderSearch(answer('Drain the **slow queue** and restart the service at once.'), {
      paint: plain,
      columns: 36,
    });
    expect(shown.split('\n').slice(-2)).toEqual([
      '     Drain the **slow queue** and',
      '     restart the service at once.',
    ]);
  });

  it('wraps text without spaces anywhere', () => {
    const shown = renderSearch(answer('数据库故障手册'.repeat(3)), { paint: plain, columns: 30 });
    expect(shown.split('\n').slice(-2)).toEqual(['     数据库故障手册数据库故障', '     手册数据库故障手册']);
  });

  it('shows escape sequences of a document instead of sending them', () => {
    expect(renderSearch(answer('a\u001b[2Jb'), { paint: plain, columns: Infinity })).not.toContain('\u001b');
  });
});
