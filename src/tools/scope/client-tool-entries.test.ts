import { describe, expect, it } from 'vitest';
import {
  grantsClientTool,
  namesClientServer,
  removesClientTool,
  requireAllowedCommand,
} from './client-tool-entries.ts';
import { parseGroups } from './tool-groups.ts';

describe('an entry of a tool list', () => {
  it.each([
    ['Read', 'Read'],
    ['Bash(npm test:*)', 'Bash'],
    ['mcp__github', 'mcp__github__search'],
    ['mcp__github__*', 'mcp__github__search'],
    ['mcp__github__search', 'mcp__github__search'],
  ])('%s grants %s', (entry, tool) => expect(grantsClientTool(entry, tool)).toBe(true));

  it.each([
    ['Read', 'Write'],
    // Only `Bash` has rules that the hub can check.
    ['Read(src/**)', 'Read'],
    ['mcp__git', 'mcp__github__search'],
    ['mcp__github__search', 'mcp__github__search_all'],
  ])('%s does not grant %s', (entry, tool) => expect(grantsClientTool(entry, tool)).toBe(false));

  it('removes a tool by name, glob, server or group, also of a group in a group', () => {
    const groups = parseGroups({ shell: ['Bash'], risky: ['shell', 'mcp__gh', '!mcp__gh__search'] });
    const removed = (entry: string) =>
      ['Bash', 'Read', 'mcp__gh__push', 'mcp__gh__search'].filter((tool) =>
        removesClientTool(entry, tool, groups),
      );
    expect(removed('!Bash')).toEqual(['Bash']);
    expect(removed('!mcp__gh__p*')).toEqual(['mcp__gh__push']);
    expect(removed('!mcp__gh')).toEqual(['mcp__gh__push', 'mcp__gh__search']);
    expect(removed('!risky')).toEqual(['Bash', 'mcp__gh__push']);
    expect(removed('risky')).toEqual([]);
  });

  it('names a server with all of its tools or one of them', () => {
    expect(
      ['mcp__a', 'mcp__a__*', 'mcp__a__x', 'mcp__ab', 'a'].map((entry) => namesClientServer(entry, 'a')),
    ).toEqual([true, true, true, false, false]);
  });
});

describe('a rule for commands', () => {
  const run = (command: string, ...entries: string[]) => requireAllowedCommand('Bash', { command }, entries);

  it.each(['npm test', 'npm test -- --watch', ' npm test '])('allows %j', (command) => {
    expect(() => run(command, 'Bash(npm test:*)')).not.toThrow();
  });

  it.each([
    'npm testing',
    'npm test; rm -rf .',
    'npm test && curl x',
    'npm test $(id)',
    'npm test\nid',
    'ls',
    '',
  ])('refuses %j', (command) => {
    expect(() => run(command, 'Bash(npm test:*)')).toThrow('The agent may run only: npm test:*.');
  });

  it('without a prefix allows exactly one command', () => {
    expect(() => run('npm test', 'Bash(npm test)')).not.toThrow();
    expect(() => run('npm test --watch', 'Bash(npm test)')).toThrow('The agent may run only: npm test.');
  });

  it('does not apply where the tool is granted without one', () => {
    expect(() => run('rm -rf .', 'Bash', 'Bash(npm test:*)')).not.toThrow();
  });
});
