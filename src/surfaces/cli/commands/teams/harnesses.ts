import { withClient } from '../../hub-access/with-client.ts';
import { type Invocation, print, say } from '../../invocation.ts';
import { type Cell, renderTable } from '../../render/table.ts';

export async function listHarnesses(call: Invocation): Promise<void> {
  const answer = await withClient(call, (client) => client.call('listHarnesses', {}));
  print(call, answer, () =>
    renderTable(
      answer.harnesses.map(({ name, command, installed, version, missing }): Cell[] => [
        { text: name, style: 'bold' },
        installed ? (version ?? 'installed') : 'missing',
        command.join(' '),
        missing ?? '',
      ]),
      call,
      { columns: [{}, {}, { min: 12 }, { optional: true }] },
    ).join('\n'),
  );
  const { sandbox } = answer;
  if (call.json || sandbox === 'on') return;
  if (sandbox === 'off') say(call, 'Members run without a sandbox, with all your rights.');
  else say(call, `No team can start yet: ${sandbox.replace(/^missing: /, '')}. See docs/teams.md.`);
}
