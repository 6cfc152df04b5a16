import { withClient } from '../../hub-access/with-client.ts';
import { type Invocation, print, say } from '../../invocation.ts';
import { type Cell, renderTable } from '../../render/table.ts';

export async function listHarnesses(call: Invocation): Promise<void> {
  const answer = await withClient(call, (client) => client.call('listHarnesses', {}));
  print(call, answer, () =>
    renderTable(
      answer.harnesses.map(({ name, command, installed, version, missing }): Cell[] => [
        { text: name, style: 'bold' },
        installed ? { text: version ?? 'installed', style: 'green' } : { text: 'missing', style: 'dim' },
        command.join(' '),
        missing ?? '',
      ]),
      call,
      { columns: [{}, {}, { min: 12 }, { optional: true }] },
    ).join('\n'),
  );
  if (!call.json && answer.sandbox === 'on') {
    say(
      call,
      'No team can start yet: add [team] with sandbox = "off" to your own zoo.toml. See docs/teams.md.',
    );
  }
}
