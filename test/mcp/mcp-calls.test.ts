import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@modelcontextprotocol/client';
import { describe, expect, it, vi } from 'vitest';
import { ERROR_CODES, ZooError } from '../../src/contract/errors.ts';
import type { Tool, ToolCall, ToolResult } from '../../src/contract/tool.ts';
import { MCP_CODES } from '../../src/surfaces/mcp/serving/error-form.ts';
import { call, connect, failure, stage, WAYS } from './mcp-clients.ts';
import { startHub } from '../start-hub.ts';
import { PATIENCE } from '../patience.ts';

function tool(
  name: string,
  execute: (args: Record<string, unknown>, call: ToolCall) => Promise<string>,
): Tool {
  const answer = async (...given: Parameters<typeof execute>): Promise<ToolResult> => ({
    content: [{ type: 'text', text: await execute(...given) }],
  });
  return {
    descriptor: {
      name,
      displayName: name,
      title: name,
      description: name,
      origin: 'script',
      inputSchema: { type: 'object' },
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
    execute: answer,
  };
}

const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };

/** Answers elicitations in the order they come. */
function answering(answers: ({ action: 'accept'; content: { name: string } } | { action: 'decline' })[]) {
  const asked: string[] = [];
  const prepare = (client: Client): void =>
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      asked.push(params.message);
      return answers[asked.length - 1] ?? { action: 'cancel' };
    });
  return { asked, prepare, client: { capabilities: { elicitation: {} } } };
}

const asks = tool('asks', async (_args, { elicit }) => {
  const first = await elicit('Who?', schema);
  const second = await elicit('And who else?', schema);
  return JSON.stringify([first, second]);
});

describe.each(WAYS)('over $transport, $era', (way) => {
  it('asks the person, more than once', async () => {
    const { asked, ...client } = answering([
      { action: 'accept', content: { name: 'Ada' } },
      { action: 'accept', content: { name: 'Grace' } },
    ]);
    await using opened = await stage(way, {}, { extensions: [{ tools: [asks] }], ...client });
    expect((await call(opened.client, 'asks')).text).toBe('[{"name":"Ada"},{"name":"Grace"}]');
    expect(asked).toEqual(['Who?', 'And who else?']);
  });

  it('continues without an answer when the person declines or the client cannot ask', async () => {
    const { asked, ...client } = answering([{ action: 'decline' }, { action: 'decline' }]);
    await using hub = await startHub({}, { extensions: [{ tools: [asks] }] });
    await using declining = await connect(hub, way, client);
    expect((await call(declining.client, 'asks')).text).toBe('[null,null]');
    expect(asked).toHaveLength(2);
    await using unable = await connect(hub, way);
    expect((await call(unable.client, 'asks')).text).toBe('[null,null]');
  });

  it('reports progress', async () => {
    const heard: unknown[] = [];
    const steps = tool('steps', async (_args, { progress }) => {
      for (const done of [1, 2, 3]) {
        progress(done, 3, `step ${done}`);
        // A client drops progress that arrives together with the result.
        await expect.poll(() => heard.length).toBe(done);
      }
      return 'done';
    });
    await using opened = await stage(way, {}, { extensions: [{ tools: [steps] }] });
    await opened.client.callTool({ name: 'steps' }, { onprogress: (progress) => void heard.push(progress) });
    expect(heard).toEqual([1, 2, 3].map((progress) => ({ progress, total: 3, message: `step ${progress}` })));
  });

  it('aborts a tool when the client cancels', async () => {
    const ended = vi.fn<(how: string) => void>();
    const giveUp = new AbortController();
    const slow = tool('slow', async (_args, { context: { signal } }) => {
      setTimeout(() => giveUp.abort(), 20);
      await sleep(10_000, undefined, { signal }).catch(() => ended('cancelled'));
      return 'late';
    });
    await using opened = await stage(way, {}, { extensions: [{ tools: [slow] }] });
    const answer = opened.client.callTool({ name: 'slow' }, { signal: giveUp.signal });
    await expect(answer).rejects.toThrow(/abort/i);
    await vi.waitFor(() => expect(ended).toHaveBeenCalledWith('cancelled'), PATIENCE);
  });

  it('answers every expected failure as a result, with its code', async () => {
    const fails = tool('fails', async ({ code }) => {
      const known = ERROR_CODES.find((each) => each === code);
      throw known ? new ZooError(known, `because of ${known}`) : new Error('no code');
    });
    await using opened = await stage(way, {}, { extensions: [{ tools: [fails] }] });
    for (const code of ERROR_CODES.filter((each) => each !== 'internal')) {
      expect(await failure(opened.client, 'fails', { code })).toEqual({
        error: true,
        code: MCP_CODES[code],
        message: `because of ${code}`,
      });
    }
  });
});

describe('a bug', () => {
  it('is logged, and reported without its details', async () => {
    const broken = tool('broken', async () => {
      throw new Error('secret detail');
    });
    const hub = await startHub({}, { extensions: [{ tools: [broken] }] });
    const connected = await connect(hub, { transport: 'http', era: 'modern' });
    const { message, ...rest } = Object(await failure(connected.client, 'broken'));
    expect(rest).toEqual({ error: true, code: 'INTERNAL' });
    expect(message).not.toContain('secret');
    await connected[Symbol.asyncDispose]();
    await expect(hub[Symbol.asyncDispose]()).rejects.toThrow('logged 1 errors');
  });
});
