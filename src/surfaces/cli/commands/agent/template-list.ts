import { print, say } from '../../invocation.ts';
import type { Invocation } from '../../invocation.ts';
import { alignColumns, firstLine } from '../../render/layout.ts';
import { withClient } from '../../hub-access/with-client.ts';

export async function listTemplates(call: Invocation): Promise<void> {
  const { templates } = await withClient(call, (client) => client.call('listTemplates', {}));
  print(call, { templates }, () =>
    alignColumns(
      templates.map(({ id, agent }) => [`  ${id}`, firstLine(agent.description ?? agent.name, 90)]),
    ).join('\n'),
  );
  if (!call.json) say(call, 'Use one: zoo agent create --template ID');
}
