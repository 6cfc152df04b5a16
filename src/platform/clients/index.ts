import { claudeCode } from './claude-code.ts';
import { claudeDesktop } from './claude-desktop.ts';
import type { McpClient } from './client.ts';
import { codex } from './codex.ts';
import { cursor } from './cursor.ts';
import { gemini } from './gemini.ts';
import { opencode } from './opencode.ts';
import { vscode } from './vscode.ts';
import { windsurf } from './windsurf.ts';
import { zed } from './zed.ts';

export const clients: readonly McpClient[] = [
  cursor,
  claudeCode,
  claudeDesktop,
  vscode,
  codex,
  gemini,
  opencode,
  windsurf,
  zed,
];
