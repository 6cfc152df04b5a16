import type { Agent, AgentArgument } from '../contract/agent.ts';
import { ZooError } from '../contract/errors.ts';

export interface CheckedArguments {
  /** Every declared argument as text; missing ones are empty. */
  values: Map<string, string>;
  /** Unconverted values of arguments that were given or have a default. */
  given: Record<string, unknown>;
  warnings: string[];
}

/** The values of the declared arguments. Required ones are checked before anything runs. */
export function checkArguments(
  agent: Pick<Agent, 'id' | 'arguments'>,
  given: Readonly<Record<string, unknown>>,
): CheckedArguments {
  const values = new Map<string, string>();
  const known: Record<string, unknown> = {};
  for (const { name, required, default: fallback } of agent.arguments) {
    const value = (Object.hasOwn(given, name) ? given[name] : undefined) ?? fallback;
    if (required && (value === undefined || value === '')) {
      throw new ZooError('invalid_arguments', `arguments.${name}: agent '${agent.id}' requires it`, {
        missing: name,
        takes: agent.arguments.map((argument) => argument.name),
      });
    }
    if (value !== undefined) known[name] = value;
    if (value === undefined) values.set(name, '');
    else values.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  const warnings = Object.keys(given)
    .filter((name) => !values.has(name))
    .map((name) => `Argument '${name}' is ignored: agent '${agent.id}' takes ${namesOf(agent.arguments)}.`);
  return { values, given: known, warnings };
}

function namesOf(args: readonly AgentArgument[]): string {
  return args.length === 0 ? 'no arguments' : args.map(({ name }) => name).join(', ');
}
