import { describe, expect, it } from 'vitest';
import type { Agent, AgentInput } from '../contract/agent.ts';
import { documentSection } from './compile.ts';
import { completeDefinition } from './definition.ts';
import type { ContextAccess, FoundDocument } from '../contract/prompt-context.ts';
import { gatherContext } from './gather-context.ts';

const about = {
  id: 'test',
  source: 'toml',
  origin: null,
  revision: 0,
  createdAt: '',
  updatedAt: '',
} as const;
const agent = (input: Partial<AgentInput>): Agent => ({
  ...completeDefinition({ name: 'Test', ...input }),
  ...about,
});

/** Each word is a token. */
const countTokens = (text: string) => text.split(/\s+/).filter(Boolean).length;
const words = (count: number, word: string) => Array.from({ length: count }, () => word).join(' ');

function document(id: string, ...texts: string[]): FoundDocument {
  const passages = texts.map((text, index) => ({ text, lineStart: index * 10 + 1, lineEnd: index * 10 + 5 }));
  return { id, title: `Title of ${id}`, source: 'filesystem:docs', passages };
}

const access = (parts: Partial<ContextAccess>): ContextAccess => ({
  budget: 1000,
  search: async () => ({ documents: [], warnings: [] }),
  fetch: async () => ({ documents: [], warnings: [] }),
  ...parts,
});

const gather = (asked: Partial<AgentInput>, parts: Partial<ContextAccess>) =>
  gatherContext(agent(asked), (text) => text, access(parts), countTokens);

describe('the documents of a prompt', () => {
  it('stay within their budget, and are truncated between passages with a warning', async () => {
    const first = document('a', words(30, 'one'), words(30, 'two'), words(30, 'three'));
    const { documents, warnings } = await gather(
      { contextRefs: ['a', 'b'] },
      {
        budget: 80,
        fetch: async (reference) => ({
          documents: [reference === 'a' ? first : document('b', words(20, 'b'))],
          warnings: [],
        }),
      },
    );
    expect(documents.map(({ id, body }) => [id, countTokens(body)])).toEqual([['a', 61]]);
    expect(warnings).toEqual([
      expect.stringContaining("'Title of a' was cut to 2 of 3 passages"),
      expect.stringContaining('Skipped Title of b'),
    ]);
  });

  it('count titles, paths and gaps towards their budget', async () => {
    const long = { ...document('a', words(10, 'one'), words(10, 'two')), title: words(40, 'title') };
    const fits = async (budget: number) => {
      const { documents } = await gather(
        { contextRefs: ['a'] },
        { budget, fetch: async () => ({ documents: [long], warnings: [] }) },
      );
      return documents.map((each) => countTokens(documentSection(each)));
    };
    // The fence is 44 words: two tags, the id, the title and the source; one more separates the passages.
    expect(await fits(65)).toEqual([65]);
    expect(await fits(64)).toEqual([54]);
    expect(await fits(54)).toEqual([54]);
    expect(await fits(53)).toEqual([]);
  });

  it('occur once, with the passages of all queries, in document order', async () => {
    const hits = [document('a', 'first', 'second', 'third')].map((whole) => whole.passages);
    const only = (...which: number[]): FoundDocument => ({
      ...document('a'),
      passages: which.map((index) => hits[0]![index]!),
    });
    const { documents, searches, fetches } = await gather(
      { context: [{ query: 'x' }, { query: 'y' }] },
      { search: async ({ query }) => ({ documents: [query === 'x' ? only(2, 0) : only(0)], warnings: [] }) },
    );
    expect(documents).toEqual([expect.objectContaining({ id: 'a', body: 'first\n\n[…]\n\nthird' })]);
    expect({ searches, fetches }).toEqual({ searches: 2, fetches: 1 });
  });

  it('do not repeat overlapping lines', async () => {
    const passages = [
      { text: 'two\nthree', lineStart: 2, lineEnd: 3 },
      { text: 'one\ntwo', lineStart: 1, lineEnd: 2 },
    ];
    const { documents } = await gather(
      { context: [{ query: 'x' }] },
      { search: async () => ({ documents: [{ ...document('a'), passages }], warnings: [] }) },
    );
    expect(documents[0]?.body).toBe('one\ntwo\nthree');
  });

  it('are skipped with a warning when they cannot be read', async () => {
    const { documents, warnings } = await gather(
      { contextRefs: ['docs/a.md'], context: [{ query: 'runbook' }] },
      {
        fetch: () => Promise.reject(new Error('the index is broken')),
        search: () => Promise.reject(new Error('the worker ended')),
      },
    );
    expect(documents).toEqual([]);
    expect(warnings).toEqual([
      "'docs/a.md' was skipped: the index is broken",
      "The context for 'runbook' was skipped: the worker ended",
    ]);
  });
});
