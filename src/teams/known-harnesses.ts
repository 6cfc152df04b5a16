import type { Harness } from './harness.ts';
import type { HarnessCommand } from './harnesses/acp.ts';
import { createAcpHarness, createClaudePrintHarness, createCursorPrintHarness } from './harnesses/index.ts';
import { firstInstalled } from './first-installed.ts';

/** A harness of the config: any ACP agent, or more for one that is known. */
export interface ConfiguredHarness {
  /** How the command is driven. */
  mode?: 'acp' | 'claude-print' | 'cursor-print' | undefined;
  command?: readonly string[] | undefined;
  env?: Readonly<Record<string, string>> | undefined;
  /** Files that it may read besides the system, such as credentials. */
  read?: readonly string[] | undefined;
  /** Hosts of its models. */
  hosts?: readonly string[] | undefined;
}

interface KnownHarness {
  command: readonly string[];
  env?: Readonly<Record<string, string>>;
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
    // It ignores MCP servers in a folder that it does not trust, and starts itself a second time.
    env: { GEMINI_CLI_TRUST_WORKSPACE: 'true', GEMINI_CLI_NO_RELAUNCH: 'true' },
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

const MODES = {
  acp: createAcpHarness,
  'claude-print': createClaudePrintHarness,
  'cursor-print': createCursorPrintHarness,
};

/** Print mode, for programs that are installed without an adapter for ACP. */
const WITHOUT_ACP: Readonly<
  Record<string, { command: readonly string[]; create(of: HarnessCommand): Harness }>
> = {
  claude: { command: ['claude'], create: createClaudePrintHarness },
  cursor: { command: ['cursor-agent'], create: createCursorPrintHarness },
};

function harnessOf(
  name: string,
  known: KnownHarness | undefined,
  { mode, command, env = {}, read = [], hosts = [] }: ConfiguredHarness = {},
): Harness {
  const about = {
    name,
    env: { ...known?.env, ...env },
    readable: [...(known?.read ?? []), ...read],
    hosts: [...(known?.hosts ?? []), ...hosts],
  };
  const first = MODES[mode ?? 'acp']({ ...about, command: command ?? known?.command ?? [] });
  const other = WITHOUT_ACP[name];
  if (!other || command || mode) return first;
  return firstInstalled(first, other.create({ ...about, command: other.command }));
}
