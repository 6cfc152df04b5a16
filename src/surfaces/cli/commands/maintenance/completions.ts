import type { Command } from 'commander';
import { print } from '../../invocation.ts';
import type { Invocation } from '../../invocation.ts';
import { renderCompletions } from '../../render/completions.ts';
import { withClient } from '../../hub-access/with-client.ts';

export type Shell = 'bash' | 'zsh' | 'fish';

export function printCompletions(call: Invocation, program: Command, shell: Shell): void {
  const script = renderCompletions(program, shell);
  print(call, { shell, script }, () => script);
}

/** What a completion script asks while somebody types: quiet, whatever happens. */
export async function complete(call: Invocation, what: string): Promise<void> {
  if (what !== 'agents') return;
  try {
    const { agents } = await withClient(call, (client) => client.call('listAgents', {}));
    call.terminal.out.write(agents.map(({ id }) => `${id}\n`).join(''));
  } catch {
    // No completion is better than an error in the middle of a line.
  }
}
