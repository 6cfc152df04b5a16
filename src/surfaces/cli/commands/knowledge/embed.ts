import { print, say } from '../../invocation.ts';
import type { Invocation } from '../../invocation.ts';
import { Failure } from '../../output/failure.ts';
import { renderEmbedding } from '../../render/sources.ts';
import { showSync } from '../../output/show-sync.ts';
import { withClient } from '../../hub-access/with-client.ts';

export async function showEmbedding(call: Invocation): Promise<void> {
  const status = await withClient(call, (client) => client.call('embedStatus', {}));
  print(call, status, () => renderEmbedding(status, call));
  if (call.json) return;
  if (status.provider === 'disabled')
    say(call, '\nKeyword search only. `[embedding] provider` in zoo.toml adds semantic search.');
  else if (status.pending > 0) say(call, '\n`zoo embed rebuild --missing` creates the missing ones.');
}

export async function rebuildEmbedding(call: Invocation, { missing }: { missing?: true }): Promise<void> {
  const { provider } = await withClient(call, (client) => client.call('embedStatus', {}));
  if (provider === 'disabled') {
    throw new Failure('no embedding provider is configured', {
      hints: ['set `[embedding] provider` in zoo.toml to "openai", "ollama" or "local"'],
    });
  }
  const body = { all: missing !== true };
  await showSync(call, (client, signal) => client.stream('rebuildEmbedding', { body }, signal));
}
