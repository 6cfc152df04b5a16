import { print, say } from '../../invocation.ts';
import type { Invocation } from '../../invocation.ts';
import { firstLine } from '../../render/layout.ts';
import { renderTable } from '../../render/table.ts';
import { withClient } from '../../hub-access/with-client.ts';

export async function listTemplates(call: Invocation): Promise<void> {
  const { templates } = await withClient(call, (client) => client.call('listTemplates', {}));
  print(call, { templates }, () =>
    renderTable(
      templates.map(({ id, agent }) => [
        { text: id, style: 'bold' },
        firstLine(agent.description ?? agent.name, 200),
      ]),
      call,
      { columns: [{}, { min: 20, max: 90 }] },
    ).join('\n'),
  );
  if (!call.json) say(call, 'Use one: zoo agent create --template ID');
}
