import { describe, expect, it } from 'vitest';
import { absentServer } from './tools-list.ts';

const reasonFor = (server: Parameters<typeof absentServer>[0][number]): string | undefined =>
  absentServer([server], 'files.read')?.message;

describe('a tool that is not listed', () => {
  it('is explained by the last failure of a server that was never reached, also while it restarts', () => {
    const failed = { name: 'files', error: 'no such command', tools: null };
    for (const state of ['failed', 'starting', 'idle'] as const) {
      expect(reasonFor({ ...failed, state })).toBe(
        "tool 'files.read' is not available: the server 'files' failed: no such command",
      );
    }
  });

  it('is explained with what the server printed, or where to read it', () => {
    const after = (error: string) => reasonFor({ name: 'files', state: 'failed', error, tools: null });
    expect(after('exited with code 3. It said:\nno key')).toMatch(
      /failed: exited with code 3\. It said: no key$/,
    );
    expect(after('exited with code 3. It said:\nno key\nbye')).toMatch(
      /failed: exited with code 3; 'zoo tools status files' shows its output$/,
    );
  });

  it('is not blamed on a server that works, or has not failed', () => {
    expect(reasonFor({ name: 'files', state: 'ready', error: 'it once failed', tools: 3 })).toBeUndefined();
    expect(reasonFor({ name: 'files', state: 'starting', error: null, tools: null })).toBeUndefined();
  });
});
