import { describe, expect, it } from 'vitest';
import { conformancePrompts, conformanceResources } from './conformance-prompts.ts';
import { ensureSuite, runSuite } from './conformance-suite.ts';
import { conformanceTools } from './conformance-tools.ts';
import { type RunningHub, startHub } from './start-hub.ts';

async function startWithFixtures(): Promise<RunningHub> {
  let changes = 0;
  const change = async (): Promise<void> => {
    const name = `Change ${(changes += 1)}`;
    await started.request('POST', '/api/agents', { name, description: 'Made to be noticed.' });
  };
  const started: RunningHub = await startHub(
    {},
    {
      auth: false,
      extensions: [
        { tools: conformanceTools(change), prompts: conformancePrompts, resources: conformanceResources },
      ],
    },
  );
  return started;
}

describe('the official conformance suite', () => {
  it.each(['2025-11-25', '2026-07-28'])(
    'passes for %s',
    async (revision) => {
      const program = ensureSuite();
      await using hub = await startWithFixtures();
      const said = await runSuite(program, ['--url', `${hub.url}/mcp`, '--requirements', revision]);
      expect(said).toMatch(/✓ tools-list: \d+ passed, 0 failed/);
    },
    180_000,
  );

  it.each(['sep-2640-skills-enumeration', 'sep-2640-skills-manifest'])(
    'passes for skills: %s',
    async (scenario) => {
      const program = ensureSuite();
      await using hub = await startWithFixtures();
      const said = await runSuite(program, ['--url', `${hub.url}/mcp`, '--scenario', scenario]);
      expect(said).toMatch(/Passed: (\d+)\/\1, 0 failed/);
    },
    60_000,
  );
});
