import type { Check } from './check-result.ts';
import { checkEverything } from './doctor-checks.ts';
import { Failure } from '../../output/failure.ts';
import { print } from '../../invocation.ts';
import type { Invocation } from '../../invocation.ts';
import { alignColumns, plural } from '../../render/layout.ts';

const colours = { ok: 'green', warn: 'yellow', fail: 'red' } as const;

export async function runDoctor(call: Invocation): Promise<void> {
  const checks = await checkEverything(call);
  print(call, { checks }, () => renderChecks(call, checks));
  const failed = checks.filter(({ state }) => state === 'fail').length;
  if (failed > 0) throw new Failure(`${plural(failed, 'check')} failed`);
}

function renderChecks({ paint }: Invocation, checks: readonly Check[]): string {
  const rows = alignColumns(
    checks.map(({ name, message }) => [name, message]),
    [],
    2,
  );
  return checks
    .flatMap(({ state, advice }, index) => [
      `${paint(colours[state], state.padEnd(4))}  ${rows[index] ?? ''}`,
      ...(advice === null ? [] : [`        ${advice}`]),
    ])
    .join('\n');
}
