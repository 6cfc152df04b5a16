import type { Check } from './check-result.ts';
import { checkEverything } from './doctor-checks.ts';
import { Failure } from '../../output/failure.ts';
import { print } from '../../invocation.ts';
import type { Invocation, View } from '../../invocation.ts';
import { plural, wrap } from '../../render/layout.ts';
import { truncate, widthOf } from '../../render/table.ts';

/** The minimum width of a message beside the state. */
const LEAST_MESSAGE = 30;
const colours = { ok: 'added', warn: 'warning', fail: 'alert' } as const;

export async function runDoctor(call: Invocation): Promise<void> {
  const checks = await checkEverything(call);
  print(call, { checks }, () => renderChecks(call, checks));
  const failed = checks.filter(({ state }) => state === 'fail').length;
  if (failed > 0) throw new Failure(`${plural(failed, 'check')} failed`);
}

function renderChecks({ paint, columns }: View, checks: readonly Check[]): string {
  const longest = Math.max(...checks.map(({ name }) => widthOf(name)));
  const width = Math.min(longest, Math.max(8, columns - LEAST_MESSAGE));
  const margin = ' '.repeat(6 + width + 2);
  return checks
    .flatMap(({ name, state, message, advice }) => [
      `${paint(colours[state], state.padEnd(4))}  ${truncate(name, width).padEnd(width)}  ${wrap(message, columns, margin).trimStart()}`,
      ...(advice === null ? [] : [wrap(`→ ${advice}`, columns, margin)]),
    ])
    .join('\n');
}
