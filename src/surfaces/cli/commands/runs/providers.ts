import { print, say } from '../../invocation.ts';
import type { Invocation } from '../../invocation.ts';
import { withClient } from '../../hub-access/with-client.ts';
import { Failure } from '../../output/failure.ts';
import { plural } from '../../render/layout.ts';
import { type Cell, renderTable } from '../../render/table.ts';

export async function listProviders(call: Invocation, { check }: { check?: true }): Promise<void> {
  const answer = await withClient(call, (client) => client.call('listProviders', check ? { check } : {}));
  print(call, answer, () => {
    const rows = answer.providers.map((each): Cell[] => {
      const usable = each.missing === null;
      const failed = each.check?.ok === false;
      const state: Cell = failed
        ? { text: 'failed', style: 'alert' }
        : !usable
          ? 'missing'
          : each.check
            ? 'works'
            : 'ready';
      const about =
        each.check?.message ??
        each.missing ??
        [`from ${each.from ?? 'the config'}`, ...(each.baseUrl ? [each.baseUrl] : [])].join(', ');
      return [{ text: each.name, style: 'bold' }, state, about];
    });
    return renderTable(rows, call, { columns: [{ keep: true }, {}, { min: 20 }] }).join('\n');
  });
  const isAnyReady = answer.providers.some(({ missing }) => missing === null);
  if (!call.json) sayDefaultModel(call, answer.defaultModel, isAnyReady);
  const failed = answer.providers.filter((each) => each.check?.ok === false).length;
  if (failed > 0) throw new Failure(`${plural(failed, 'provider')} failed`);
  if (!check && !call.json) say(call, '`zoo providers --check` sends the smallest possible request to each.');
}

function sayDefaultModel(call: Invocation, model: string | null, isAnyReady: boolean): void {
  const advice = isAnyReady
    ? 'No default model: set `[runner] model`, or pass --model.'
    : 'No provider is ready: store a key with one of these commands, or start Ollama.';
  say(call, model ? `Default model: ${model}` : advice);
}
