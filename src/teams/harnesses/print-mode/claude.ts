import type { Harness } from '../../harness.ts';
import type { HarnessCommand } from '../acp.ts';
import { createPrintModeHarness } from './print-harness.ts';

/** `claude -p`. The MCP server is handed over on the command line, its token in the environment. */
export function createClaudePrintHarness(about: HarnessCommand): Harness {
  return createPrintModeHarness({
    ...about,
    hasForgotten: (failure) => /No conversation found/i.test(failure),
    turn: (session, isNew, { mcp, readOnly, isConfined }) => {
      const headers = { Authorization: 'Bearer ${ZOO_MEMBER_TOKEN}' };
      const mcpServers = { [mcp.name]: { type: 'http', url: mcp.url, headers } };
      // Nobody can be asked in print mode: the sandbox limits what it does.
      const mode = readOnly ? 'plan' : isConfined ? 'bypassPermissions' : 'acceptEdits';
      return {
        args: [
          ...'-p --output-format stream-json --verbose --strict-mcp-config'.split(' '),
          '--mcp-config',
          JSON.stringify({ mcpServers }),
          '--allowedTools',
          `mcp__${mcp.name}`,
          '--permission-mode',
          mode,
          isNew ? '--session-id' : '--resume',
          session,
        ],
        env: {
          ZOO_MEMBER_TOKEN: mcp.token,
          CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
          ...(isConfined ? { IS_SANDBOX: '1' } : {}),
        },
      };
    },
  });
}
