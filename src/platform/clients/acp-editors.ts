import type { McpClient } from './client.ts';
import { zedAgents } from './zed.ts';

/** Editors whose files list agents that speak ACP. */
export const acpEditors: readonly McpClient[] = [zedAgents];
