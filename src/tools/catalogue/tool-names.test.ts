import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toolNames } from './tool-names.ts';

const wire = (server: string | null, tool: string) => toolNames(server, tool).name;

describe('the names of a tool', () => {
  it('are `server.tool` for people and `server__tool` on the wire', () => {
    expect(toolNames('github', 'create_issue')).toEqual({
      name: 'github__create_issue',
      displayName: 'github.create_issue',
    });
    expect(toolNames('my-server_2', '_hidden').name).toBe('my-server_2___hidden');
    expect(toolNames(null, 'create_ticket')).toEqual({ name: 'create_ticket', displayName: 'create_ticket' });
  });

  it('end with a stable hash if the plain form is too long or has other characters', () => {
    expect(wire('github', 'repos.list')).toBe('github__repos_list_b30c67ea');
    expect(wire('wetter', 'größe')).toMatch(/^wetter__gr__e_[0-9a-f]{8}$/);
    expect(wire('s', 'x'.repeat(80))).toMatch(/^s__x{52}_[0-9a-f]{8}$/);
    expect(toolNames('s', 'x'.repeat(80)).displayName).toBe(`s.${'x'.repeat(80)}`);
  });

  it.each([
    ['an underscore that could belong to either', ['a', '_b'], ['a_', 'b']],
    ['two underscores in a server', ['a__b', 'c'], ['a', 'b__c']],
    ['a dot in a server', ['a.b', 'c'], ['a', 'b.c']],
    ['characters that look the same once replaced', ['a', 'b/c'], ['a', 'b:c']],
    ['the same first 55 characters', ['a', `${'x'.repeat(80)}1`], ['a', `${'x'.repeat(80)}2`]],
  ])('distinguish tools that differ by %s', (_title, [server, tool], [otherServer, otherTool]) => {
    expect(wire(server ?? '', tool ?? '')).not.toBe(wire(otherServer ?? '', otherTool ?? ''));
  });

  it('cannot imitate those of another tool', () => {
    const hashed = wire('a__b', 'c');
    expect(hashed).toMatch(/^a__b__c_[0-9a-f]{8}$/);
    expect(wire('a', hashed.slice('a__'.length))).not.toBe(hashed);
  });

  it('suit every client and are unique', () => {
    const word = fc.string({
      unit: fc.constantFrom('a', '_', '.', '-', 'é', '0'),
      minLength: 0,
      maxLength: 6,
    });
    fc.assert(
      fc.property(fc.tuple(word, word), fc.tuple(word, word), ([server, tool], [server2, tool2]) => {
        const name = wire(server, tool);
        expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
        expect(wire(server2, tool2) === name).toBe(server === server2 && tool === tool2);
      }),
      { numRuns: 5000 },
    );
  });
});
