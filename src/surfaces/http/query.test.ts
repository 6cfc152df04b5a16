import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { compileParams, compileQuery } from './query.ts';

const schema = z.object({
  q: z.string().optional(),
  limit: z.int().min(1).optional(),
  ratio: z.number().optional(),
  pinned: z.boolean().optional(),
  tags: z.array(z.string()).optional(),
  levels: z.array(z.int()).optional(),
});
const read = compileQuery(schema);

describe('a query', () => {
  it.each([
    ['', {}],
    ['&&', {}],
    ['q=', { q: '' }],
    ['q', { q: '' }],
    ['q=a%20b+c%26d', { q: 'a b c&d' }],
    ['q=1', { q: '1' }],
    ['limit=5', { limit: 5 }],
    ['ratio=-1.5', { ratio: -1.5 }],
    ['pinned=true', { pinned: true }],
    ['pinned=false', { pinned: false }],
    ['tags=a', { tags: ['a'] }],
    ['tags=a,b', { tags: ['a', 'b'] }],
    ['tags=a&tags=b,c', { tags: ['a', 'b', 'c'] }],
    ['tags=a%2Cb', { tags: ['a,b'] }],
    ['levels=1,2', { levels: [1, 2] }],
    ['q=%E9%A3%9F', { q: '食' }],
  ])('%j is parsed by its schema', (search, values) => {
    expect(read(search)).toEqual({ values, workspace: undefined, agent: undefined });
  });

  it.each([
    ['limit=five', 'limit must be'],
    ['limit=', 'limit must be'],
    ['limit=0', 'limit must be'],
    ['limit=1e3', 'limit must be'],
    ['limit=0x10', 'limit must be'],
    ['limit=1.5', 'limit must be'],
    ['pinned=yes', 'pinned must be'],
    ['levels=1,x', 'levels[1] must be'],
    ['limit=1&limit=2', 'limit: is given more than once'],
    ['workspace=a&workspace=b', 'workspace: is given more than once'],
    ['q=%E9%A3', 'q: "%E9%A3" is not percent-encoded UTF-8'],
    ['%=1', 'query: "%" is not percent-encoded UTF-8'],
    ['limt=5', 'Unknown query parameter `limt`. Did you mean `limit`?'],
    [
      'zzzzzz=5',
      'Unknown query parameter `zzzzzz`. Known: q, limit, ratio, pinned, tags, levels, workspace, agent.',
    ],
    ['__proto__=5', 'Unknown query parameter `__proto__`'],
  ])('%j is refused with the reason', (search, message) => {
    expect(() => read(search)).toThrow(expect.objectContaining({ code: 'invalid_arguments' }));
    expect(() => read(search)).toThrow(message);
  });

  it('may always name a workspace and an agent', () => {
    expect(read('workspace=%2Fhome%2Fme&agent=a')).toEqual({ values: {}, workspace: '/home/me', agent: 'a' });
    expect(compileQuery(undefined)('workspace=w')).toEqual({ values: {}, workspace: 'w', agent: undefined });
    expect(compileQuery(z.object({ agent: z.string().optional() }))('agent=a')).toEqual({
      values: { agent: 'a' },
      workspace: undefined,
      agent: 'a',
    });
  });
});

describe('a path', () => {
  it('gives text as it is and numbers as numbers', () => {
    expect(compileParams(undefined)({})).toEqual({});
    expect(compileParams(z.object({ id: z.string() }))({ id: '5' })).toEqual({ id: '5' });
    const numbered = compileParams(z.object({ id: z.string(), revision: z.int().min(1) }));
    expect(numbered({ id: '5', revision: '5' })).toEqual({ id: '5', revision: 5 });
    expect(() => numbered({ id: '5', revision: 'last' })).toThrow('revision must be');
  });
});
