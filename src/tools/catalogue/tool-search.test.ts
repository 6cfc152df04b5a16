import { describe, expect, it } from 'vitest';
import type { ToolDescriptor } from '../../contract/tool.ts';
import { toolNames } from './tool-names.ts';
import { searchTools } from './tool-search.ts';

function tool(
  server: string | null,
  name: string,
  description: string,
  properties: Record<string, unknown> = {},
): ToolDescriptor {
  return {
    ...toolNames(server, name),
    title: name,
    description,
    origin: 'upstream',
    inputSchema: { type: 'object', properties },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  };
}

const tools = [
  tool('github', 'create_issue', 'Open a new issue in a repository', { repo: {}, title: {} }),
  tool('github', 'list_issues', 'List issues of a repository', { repo: {}, state: {} }),
  tool('github', 'listPullRequests', 'Shows what waits for review'),
  tool('files', 'read_file', 'Read a file as text', { path: { description: 'Where it is on the disk' } }),
  tool('files', 'write.file', 'Replace the content of a file'),
  tool('weather', 'forecast', 'The weather of the next days for a city', { city: {} }),
  tool(null, 'search', 'Finds documents'),
  tool('odd', '!!!', ''),
];
const found = (query: string) =>
  searchTools(tools)
    .find(query)
    .map(({ displayName }) => displayName);

describe('finding tools', () => {
  it.each([
    ['the name that people write', 'github.create_issue', 'github.create_issue'],
    ['the wire name', 'github__create_issue', 'github.create_issue'],
    ['words of the name', 'create issue', 'github.create_issue'],
    ['a plural', 'creating issues', 'github.create_issue'],
    ['camel case, in plain words', 'list pull request', 'github.listPullRequests'],
    ['a wire name with a hash', toolNames('files', 'write.file').name, 'files.write.file'],
    ['the description', 'weather next days', 'weather.forecast'],
    ['a parameter', 'city', 'weather.forecast'],
    ['the text of a parameter', 'disk', 'files.read_file'],
    ['a typo', 'forcast', 'weather.forecast'],
    ['two typos in a long word', 'repositary lsit issues', 'github.list_issues'],
    ['the beginning of a word', 'docum', 'search'],
    ['another case', 'GITHUB.LIST_ISSUES', 'github.list_issues'],
    ['nothing but signs', '!!!', 'odd.!!!'],
  ])('by %s', (_title, query, first) => {
    expect(found(query)[0]).toBe(first);
  });

  it('lists everything without a query, and nothing without a match', () => {
    expect(found('  ')).toEqual(tools.map(({ displayName }) => displayName));
    expect(found('zzzzzz')).toEqual([]);
  });

  it('ranks a tool first by either of its names', () => {
    for (const { name, displayName } of tools) {
      expect(found(name)[0]).toBe(displayName);
      expect(found(displayName)[0]).toBe(displayName);
    }
  });

  it('is fast for a thousand tools', () => {
    const many = Array.from({ length: 1000 }, (_, n) =>
      tool(`server${n % 50}`, `tool_${n}_of_many`, `Does the thing with the number ${n}, and word${n}.`),
    );
    const search = searchTools(many);
    search.find('warm up');
    // The best of several: a busy machine may interrupt any one of them.
    const times = Array.from({ length: 10 }, () => {
      const started = performance.now();
      expect(search.find('thing word777')[0]?.displayName).toBe('server27.tool_777_of_many');
      return performance.now() - started;
    });
    expect(Math.min(...times)).toBeLessThan(100);
  });
});
