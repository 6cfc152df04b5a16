import { expect, test } from 'vitest';
import { rawCaller } from './raw-caller.ts';
import { tempHome } from '../zoo-command.ts';

const FILES = {
  'zoo.toml':
    '[agents.fixer]\nsystem_prompt = "Fix {{service}}."\narguments = [{ name = "service", required = true }]\n' +
    '[agents.script.asker]\npath = "asker.lua"\n[tools.script.count]\npath = "count.lua"\n',
  'asker.lua':
    'agent = { name = "Asker" }\nfunction agent.resolve() context.search({ query = 5 }) return { system = "x" } end\nreturn agent\n',
  'count.lua':
    'tool = { description = "Counts.", parameters = { { name = "limit", type = "integer", required = true } } }\nfunction tool.execute(args) return { n = args.limit } end\nreturn tool\n',
};

/** The words of validators, which nobody should have to read. */
const RAW =
  /Invalid input|Invalid option|expected \w+, received|Unrecognized key|Too (?:small|big)|must NOT|must be (?:string|integer|object|array)\b|invalid_type|ZodError/;

test('a wrong value is explained by its field, what is allowed, and what was meant', async () => {
  await using home = await tempHome(FILES);
  await home.zoo(['trust', '--yes']);
  const { url } = await home.serve();
  const said: string[] = [];
  const zoo = async (...args: string[]): Promise<string> => {
    const { out, err } = await home.program(args);
    said.push(out + err);
    return out + err;
  };
  const raw = await rawCaller(home, url);
  const http = async (path: string, body: unknown): Promise<string> => {
    const text = await raw.http(path, body);
    said.push(text);
    return text;
  };
  const mcp = async (method: string, params: unknown): Promise<string> => {
    const text = await raw.mcp(method, params);
    said.push(text);
    return text;
  };

  const missing = await zoo('agent', 'test', 'fixer', '--arg', 'servce=payments');
  expect(missing).toContain(
    "arguments.service is missing: agent 'fixer' requires it; 'servce' was given, did you mean 'service'?",
  );
  expect(missing).toContain('--arg service=…');
  expect(await zoo('tools', 'call', 'count', '--arg', 'limt=5')).toMatch(/limit is missing.*limt/);
  expect(await zoo('tools', 'call', 'count', '--arg', 'limit=five')).toContain(
    'limit must be a whole number, not text',
  );
  await home.zoo(['agent', 'clone', 'fixer', '--id', 'copy']);
  expect(await zoo('agent', 'edit', 'copy', '--set', 'mode=chatty')).toMatch(/mode must be one of/);
  expect(await zoo('agent', 'test', 'asker')).toContain('query must be text, not a number');

  expect(await http('/api/agents', { nme: 'x' })).toMatch(/name is missing.*Did you mean `name`/);
  expect(await http('/api/agents', { name: 'x', tools: 'search' })).toContain(
    'tools must be a list, not text',
  );
  expect(await http('/tools/search', { qurey: 'x' })).toMatch(/query is missing.*qurey/);
  expect(await http('/tools/search', { query: 'x', mode: 'keywrd' })).toMatch(/did you mean \\?"keyword/);
  expect(await http('/api/knowledge/search', [])).toContain('must be an object, not a list');
  await http('/agents/fixer/prompt', { arguments: 'x' });
  await http('/api/agents/fixer/brain', { type: 'thought', content: '' });

  const search = (args: unknown) => mcp('tools/call', { name: 'search', arguments: args });
  expect(await search({ qurey: 'x' })).toMatch(/query is missing.*qurey/);
  expect(await search('x')).toMatch(/arguments must be an object, not text/);
  expect(await mcp('tools/call', { arguments: {} })).toMatch(/name is missing/);
  expect(await mcp('prompts/get', { name: 'fixer', arguments: { servce: 'x' } })).toMatch(
    /arguments\.service is missing.*servce/,
  );
  expect(await mcp('prompts/get', { arguments: { service: 5 } })).toMatch(/name is missing/);
  expect(await mcp('resources/read', {})).toMatch(/uri is missing/);

  for (const text of said) expect(text).not.toMatch(RAW);
});
