import { describe, expect, it } from 'vitest';
import { matchedWords, splitPassage } from './passage-text.ts';

describe('the text of a passage', () => {
  it('leaves its heading to the line above, with the matches marked', () => {
    expect(splitPassage('## **Rollback** Find the tag.', ['Deploying', 'Rollback'])).toEqual({
      headings: ['Deploying', '**Rollback**'],
      text: 'Find the tag.',
    });
    expect(splitPassage('### What? (a + b) Yes.', ['What? (a + b)'])).toEqual({
      headings: ['What? (a + b)'],
      text: 'Yes.',
    });
  });

  it.each([
    ['only a heading', '## **Rollback**', ['Rollback']],
    ['another heading', '## Rollbacks use tags.', ['Rollback']],
    ['no heading', '… the previous tag.', []],
  ])('stays as it is with %s', (_what, snippet, headings) => {
    expect(splitPassage(snippet, headings)).toEqual({ headings, text: snippet });
  });
});

describe('the words that matched', () => {
  it('are those of the query, where the index has their stems', () => {
    expect(matchedWords('Trusted workspaces?', ['trust', 'workspac'])).toEqual(['trusted', 'workspaces']);
    expect(matchedWords('ran', ['run'])).toEqual(['run']);
  });
});
