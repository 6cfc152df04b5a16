import { expect, test } from 'vitest';
import type { Place } from './client.ts';
import { clients } from './index.ts';

const linux: Place = { platform: 'linux', env: {}, home: '/h', folder: '/p' };
const mac: Place = { platform: 'darwin', env: {}, home: '/h', folder: '/p' };
const windows: Place = {
  platform: 'win32',
  env: { APPDATA: '/h/AppData/Roaming' },
  home: '/h',
  folder: '/p',
};
const library = '/h/Library/Application Support';
const roaming = '/h/AppData/Roaming';

test.each([
  ['cursor', '/h/.cursor/mcp.json', '/h/.cursor/mcp.json', '/h/.cursor/mcp.json', '/p/.cursor/mcp.json'],
  ['claude-code', '/h/.claude.json', '/h/.claude.json', '/h/.claude.json', '/p/.mcp.json'],
  [
    'claude-desktop',
    '/h/.config/Claude/claude_desktop_config.json',
    `${library}/Claude/claude_desktop_config.json`,
    `${roaming}/Claude/claude_desktop_config.json`,
    undefined,
  ],
  [
    'vscode',
    '/h/.config/Code/User/mcp.json',
    `${library}/Code/User/mcp.json`,
    `${roaming}/Code/User/mcp.json`,
    '/p/.vscode/mcp.json',
  ],
  [
    'codex',
    '/h/.codex/config.toml',
    '/h/.codex/config.toml',
    '/h/.codex/config.toml',
    '/p/.codex/config.toml',
  ],
  [
    'gemini',
    '/h/.gemini/settings.json',
    '/h/.gemini/settings.json',
    '/h/.gemini/settings.json',
    '/p/.gemini/settings.json',
  ],
  [
    'opencode',
    '/h/.config/opencode/opencode.json',
    '/h/.config/opencode/opencode.json',
    '/h/.config/opencode/opencode.json',
    '/p/opencode.json',
  ],
  [
    'windsurf',
    '/h/.codeium/windsurf/mcp_config.json',
    '/h/.codeium/windsurf/mcp_config.json',
    '/h/.codeium/windsurf/mcp_config.json',
    undefined,
  ],
  [
    'zed',
    '/h/.config/zed/settings.json',
    '/h/.config/zed/settings.json',
    `${roaming}/Zed/settings.json`,
    '/p/.zed/settings.json',
  ],
])('%s has its config file in the right place', (id, onLinux, onMac, onWindows, ofProject) => {
  const client = clients.find((one) => one.id === id);
  expect(client?.files('user', linux)[0]).toBe(onLinux);
  expect(client?.files('user', mac)[0]).toBe(onMac);
  expect(client?.files('user', windows)[0]).toBe(onWindows);
  expect(client?.files('project', linux)[0]).toBe(ofProject);
});

test.each([
  ['claude-code', 'CLAUDE_CONFIG_DIR', '/x/.claude.json'],
  ['codex', 'CODEX_HOME', '/x/config.toml'],
  ['gemini', 'GEMINI_CLI_HOME', '/x/.gemini/settings.json'],
  ['opencode', 'XDG_CONFIG_HOME', '/x/opencode/opencode.json'],
  ['vscode', 'XDG_CONFIG_HOME', '/x/Code/User/mcp.json'],
  ['zed', 'XDG_CONFIG_HOME', '/x/zed/settings.json'],
])('%s uses another place if %s is set', (id, variable, file) => {
  const client = clients.find((one) => one.id === id);
  expect(client?.files('user', { ...linux, env: { [variable]: '/x' } })[0]).toBe(file);
});
