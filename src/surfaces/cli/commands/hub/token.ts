import { zooHome } from '../../../../platform/home/paths.ts';
import { print, say, warn } from '../../invocation.ts';
import type { Invocation } from '../../invocation.ts';
import { completeId } from '../../input/id-prefix.ts';
import { localTime } from '../../render/layout.ts';
import { renderTable } from '../../render/table.ts';
import { withClient } from '../../hub-access/with-client.ts';

export async function showToken(call: Invocation): Promise<void> {
  const { ensureOperatorToken } = await import('../../../../platform/home/access.ts');
  const { token, warning } = ensureOperatorToken(zooHome(call.env));
  if (warning !== null) warn(call, warning);
  print(call, { token }, () => token);
}

export async function createToken(
  call: Invocation,
  { agent, label }: { agent: string; label?: string },
): Promise<void> {
  const made = await withClient(call, (client) =>
    client.call('createToken', { body: { agentId: agent, ...(label === undefined ? {} : { label }) } }),
  );
  print(call, made, () => made.token);
  if (!call.json) {
    say(
      call,
      `It gives access to ${made.agentId} and its tools only, and is not shown again. Revoke it: zoo token rm ${made.id.slice(0, 8)}`,
    );
  }
}

export async function listTokens(call: Invocation): Promise<void> {
  const { tokens } = await withClient(call, (client) => client.call('listTokens', {}));
  print(call, { tokens }, () =>
    renderTable(
      tokens.map(({ id, agentId, label, createdAt, lastUsedAt }) => [
        { text: call.columns === Infinity ? id : id.slice(0, 8), style: 'bold' },
        agentId,
        `created ${localTime(createdAt)}`,
        lastUsedAt === null ? 'never used' : `used ${localTime(lastUsedAt)}`,
        label,
      ]),
      call,
      { columns: [{ keep: true }, { min: 10, max: 40 }, { optional: true }, {}, { min: 8, max: 60 }] },
    ).join('\n'),
  );
  if (!call.json && tokens.length === 0) say(call, 'No tokens. `zoo token create --agent ID` creates one.');
}

export async function removeToken(call: Invocation, start: string): Promise<void> {
  const revoked = await withClient(call, async (client) => {
    const { tokens } = await client.call('listTokens', {});
    const ids = tokens.map((token) => token.id);
    const full = completeId(start, ids, 'tokens');
    await client.call('deleteToken', { id: full });
    return full;
  });
  print(call, { revoked }, () => `Revoked ${revoked}`);
}
