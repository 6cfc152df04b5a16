import type { Agent, AgentArgument } from '../contract/agent.ts';
import { ZooError } from '../contract/errors.ts';
import { nearest } from '../contract/nearest.ts';

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
      throw missingArgument(agent, name, given);
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

function missingArgument(
  agent: Pick<Agent, 'id' | 'arguments'>,
  name: string,
  given: Readonly<Record<string, unknown>>,
): ZooError {
  const takes = agent.arguments.map((argument) => argument.name);
  const typed = nearest(
    name,
    Object.keys(given).filter((key) => !takes.includes(key)),
  );
  const instead = typed === null ? '' : `; '${typed}' was given, did you mean '${name}'?`;
  return new ZooError(
    'invalid_arguments',
    `arguments.${name} is missing: agent '${agent.id}' requires it${instead}`,
    { missing: name, takes },
  );
}

function namesOf(args: readonly AgentArgument[]): string {
  return args.length === 0 ? 'no arguments' : args.map(({ name }) => name).join(', ');
}
