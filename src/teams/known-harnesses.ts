import type { Harness } from './harness.ts';
import { createAcpHarness } from './harnesses/index.ts';

/** A harness of the config: any ACP agent. */
export interface ConfiguredHarness {
  command: readonly string[];
  env?: Readonly<Record<string, string>> | undefined;
}

const KNOWN: Readonly<Record<string, readonly string[]>> = {
  claude: ['claude-agent-acp'],
  codex: ['codex-acp'],
  gemini: ['gemini', '--acp'],
  opencode: ['opencode', 'acp'],
  cursor: ['cursor-agent', 'acp'],
  copilot: ['copilot', '--acp'],
};

/** The harnesses by name; those of the config win. */
export function listHarnesses(configured: Readonly<Record<string, ConfiguredHarness>>): Map<string, Harness> {
  const all = [
    ...Object.entries(KNOWN).map(([name, command]) => createAcpHarness(name, command)),
    ...Object.entries(configured).map(([name, { command, env }]) => createAcpHarness(name, command, env)),
  ];
  return new Map(all.map((harness) => [harness.name, harness]));
}
