import type { Harness } from './harness.ts';
import { createAcpHarness } from './harnesses/index.ts';

/** A harness of the config: any ACP agent, or more for one that is known. */
export interface ConfiguredHarness {
  command?: readonly string[] | undefined;
  env?: Readonly<Record<string, string>> | undefined;
  /** Files that it may read besides the system, such as credentials. */
  read?: readonly string[] | undefined;
  /** Hosts of its models. */
  hosts?: readonly string[] | undefined;
}

interface KnownHarness {
  command: readonly string[];
  read: readonly string[];
  hosts: readonly string[];
}

const KNOWN: Readonly<Record<string, KnownHarness>> = {
  claude: {
    command: ['claude-agent-acp'],
    read: ['~/.claude/.credentials.json'],
    hosts: ['api.anthropic.com', 'platform.claude.com', 'claude.ai'],
  },
  codex: {
    command: ['codex-acp'],
    read: ['~/.codex/auth.json', '~/.codex/config.toml'],
    hosts: ['api.openai.com', 'chatgpt.com', 'auth.openai.com'],
  },
  gemini: {
    command: ['gemini', '--acp'],
    read: ['~/.gemini/oauth_creds.json', '~/.gemini/google_accounts.json', '~/.gemini/settings.json'],
    hosts: ['generativelanguage.googleapis.com', 'cloudcode-pa.googleapis.com', 'oauth2.googleapis.com'],
  },
  opencode: {
    command: ['opencode', 'acp'],
    read: ['~/.local/share/opencode/auth.json', '~/.config/opencode'],
    hosts: ['opencode.ai', 'models.dev'],
  },
  cursor: {
    command: ['cursor-agent', 'acp'],
    read: ['~/.config/cursor/auth.json', '~/.cursor/cli-config.json'],
    hosts: ['api2.cursor.sh', 'api5.cursor.sh'],
  },
  copilot: {
    command: ['copilot', '--acp'],
    read: ['~/.copilot/config.json', '~/.config/github-copilot'],
    hosts: ['api.githubcopilot.com', 'api.github.com'],
  },
};

/** The harnesses by name; the config adds to those that are known, and replaces their commands. */
export function listHarnesses(configured: Readonly<Record<string, ConfiguredHarness>>): Map<string, Harness> {
  const names = [...new Set([...Object.keys(KNOWN), ...Object.keys(configured)])];
  return new Map(names.map((name) => [name, harnessOf(name, KNOWN[name], configured[name])]));
}

function harnessOf(
  name: string,
  known: KnownHarness | undefined,
  { command, env, read = [], hosts = [] }: ConfiguredHarness = {},
): Harness {
  return createAcpHarness({
    name,
    command: command ?? known?.command ?? [],
    env: env ?? {},
    readable: [...(known?.read ?? []), ...read],
    hosts: [...(known?.hosts ?? []), ...hosts],
  });
}
