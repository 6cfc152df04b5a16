import * as acp from '@agentclientprotocol/sdk';
import { expect, test } from 'vitest';
import { callContext } from '../../../test/call-context.ts';
import { silentCall } from '../../contract/tool.ts';
import { createEditorTools } from './editor-tools.ts';

/** An editor and an agent in this process, connected by two streams. */
function connect(editor: acp.ClientApp): { client: acp.AgentContext; close(): void } {
  const [toEditor, toAgent] = [new TransformStream<Uint8Array>(), new TransformStream<Uint8Array>()];
  const agent = acp.agent({ name: 'agent' }).connect(acp.ndJsonStream(toEditor.writable, toAgent.readable));
  const client = editor.connect(acp.ndJsonStream(toAgent.writable, toEditor.readable));
  return {
    client: agent.client,
    close() {
      agent.close();
      client.close();
    },
  };
}

test('kills a command that is cancelled while its terminal opens', async () => {
  const cancelled = new AbortController();
  let kill = (): void => undefined;
  const killed = new Promise<void>((resolve) => (kill = resolve));
  const editor = acp
    .client({ name: 'editor' })
    .onRequest('terminal/create', () => {
      cancelled.abort();
      return { terminalId: 't1' };
    })
    .onRequest('terminal/wait_for_exit', async () => {
      await killed;
      return { signal: 'SIGTERM' };
    })
    .onRequest('terminal/kill', () => {
      kill();
      return {};
    })
    .onRequest('terminal/output', () => ({ output: 'half', truncated: false }))
    .onRequest('terminal/release', () => ({}));
  const { client, close } = connect(editor);
  const tools = createEditorTools({
    sessionId: 's',
    cwd: '/',
    client,
    capabilities: { terminal: true },
    notify: async () => undefined,
  });
  const bash = tools.find(({ descriptor }) => descriptor.name === 'Bash');
  const call = silentCall(callContext({ signal: cancelled.signal }));
  expect(await bash?.execute({ command: 'sleep 60' }, call)).toEqual({
    content: [{ type: 'text', text: 'half\n(ended by SIGTERM)' }],
  });
  close();
});
