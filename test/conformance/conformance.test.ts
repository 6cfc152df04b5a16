import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { conformancePrompts, conformanceResources } from './conformance-prompts.ts';
import { ensureSuite, runSuite } from './conformance-suite.ts';
import { conformanceTools } from './conformance-tools.ts';
import { type RunningHub, startHub } from '../start-hub.ts';

async function startWithFixtures(): Promise<RunningHub> {
  let changes = 0;
  const change = async (): Promise<void> => {
    const description = `Change ${(changes += 1)}`;
    await started.request('PATCH', '/api/agents/tested', { description });
  };
  const started: RunningHub = await startHub(
    {},
    {
      auth: false,
      threads: true,
      extensions: [
        { tools: conformanceTools(change), prompts: conformancePrompts, resources: conformanceResources },
      ],
    },
  );
  // Its fixtures and nothing else, so that it is served a list and not a search.
  const tools = ['test_*', 'json_schema_*'];
  await started.request('POST', '/api/agents', { id: 'tested', name: 'Tested', description: 'x', tools });
  await started.request('POST', '/api/agents', { id: 'searched', name: 'Searched', tools: ['*'] });
  return started;
}

describe('the official conformance suite', () => {
  let hub: RunningHub;
  beforeAll(async () => {
    hub = await startWithFixtures();
  });
  afterAll(() => hub[Symbol.asyncDispose]());

  it.each([
    ['2025-11-25', '/mcp'],
    ['2026-07-28', '/mcp'],
    ['2025-11-25', '/mcp/tested'],
    ['2026-07-28', '/mcp/tested'],
  ])(
    'passes for %s on %s',
    async (revision, path) => {
      const program = ensureSuite();
      const said = await runSuite(program, ['--url', hub.url + path, '--requirements', revision]);
      expect(said).toMatch(/✓ tools-list: \d+ passed, 0 failed/);
    },
    600_000,
  );

  it.concurrent.each(['sep-2640-skills-enumeration', 'sep-2640-skills-manifest'])(
    'passes for skills: %s',
    async (scenario) => {
      const program = ensureSuite();
      const said = await runSuite(program, ['--url', `${hub.url}/mcp`, '--scenario', scenario]);
      expect(said).toMatch(/Passed: (\d+)\/\1, 0 failed/);
    },
    60_000,
  );

  it.concurrent.each([
    'server-initialize',
    'tools-list',
    'prompts-list',
    'resources-list',
    'completion-complete',
  ])(
    'passes for an agent whose tools are searched: %s',
    async (scenario) => {
      const program = ensureSuite();
      const said = await runSuite(program, ['--url', `${hub.url}/mcp/searched`, '--scenario', scenario]);
      expect(said).toMatch(/Passed: (\d+)\/\1, 0 failed/);
    },
    60_000,
  );
});
