import { zooHome } from '../../../../platform/home/paths.ts';
import { print, say } from '../../invocation.ts';
import type { Invocation } from '../../invocation.ts';
import { localTime } from '../../render/layout.ts';
import { renderTable } from '../../render/table.ts';
import { withClient } from '../../hub-access/with-client.ts';

export async function showToken(call: Invocation): Promise<void> {
  const { ensureOperatorToken } = await import('../../../../platform/home/access.ts');
  const { token, warning } = ensureOperatorToken(zooHome(call.env));
  if (warning !== null) say(call, `warning: ${warning}`);
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
      `It gives access to ${made.agentId} and its tools only, and is not shown again. Revoke it: zoo token rm ${made.id}`,
    );
  }
}

export async function listTokens(call: Invocation): Promise<void> {
  const { tokens } = await withClient(call, (client) => client.call('listTokens', {}));
  print(call, { tokens }, () =>
    renderTable(
      tokens.map(({ id, agentId, label, createdAt, lastUsedAt }) => [
        { text: id, style: 'bold' },
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

export async function removeToken(call: Invocation, id: string): Promise<void> {
  await withClient(call, (client) => client.call('deleteToken', { id }));
  print(call, { revoked: id }, () => `Revoked ${id}`);
}
