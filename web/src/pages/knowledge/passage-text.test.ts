import { describe, expect, it } from 'vitest';
import { matchedWords, passageText } from './passage-text.ts';

describe('the text of a passage', () => {
  it('leaves out the heading that is shown above it', () => {
    expect(passageText('## **Rollback** Find the tag.', ['Deploying', 'Rollback'])).toBe('Find the tag.');
    expect(passageText('### What? (a + b) Yes.', ['What? (a + b)'])).toBe('Yes.');
  });

  it('keeps a passage that is only a heading, has another one or none', () => {
    expect(passageText('## **Rollback**', ['Rollback'])).toBe('## **Rollback**');
    expect(passageText('## Rollbacks use tags.', ['Rollback'])).toBe('## Rollbacks use tags.');
    expect(passageText('… the previous tag.', [])).toBe('… the previous tag.');
  });
});

describe('the words that matched', () => {
  it('are those of the query, where the index has their stems', () => {
    expect(matchedWords('Trusted workspaces?', ['trust', 'workspac'])).toEqual(['trusted', 'workspaces']);
    expect(matchedWords('ran', ['run'])).toEqual(['run']);
  });
});
