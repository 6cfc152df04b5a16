import { ZooError } from '../../contract/errors.ts';
import { compileGlob } from './name-glob.ts';
import type { ParsedGroups } from './tool-groups.ts';

const nameIn = (entry: string): string => entry.split('(', 1)[0] ?? '';

/**
 * Whether an entry of an agent's list grants a tool of its client: `Read`, `Bash(npm test:*)`, `mcp__github`,
 * `mcp__github__*` or `mcp__github__search`.
 */
export function grantsClientTool(entry: string, tool: string): boolean {
  const name = nameIn(entry);
  if (!name.startsWith('mcp__')) return name === tool && (name === entry || name === 'Bash');
  return name === tool || tool.startsWith(`${name.replace(/__\*$/, '')}__`);
}

/** Whether an entry with `!` removes a tool of its client: by name, glob, server or group. */
export const removesClientTool = (entry: string, tool: string, groups: ParsedGroups): boolean =>
  entry.startsWith('!') && namesTool(entry.slice(1), tool, groups);

function namesTool(body: string, tool: string, groups: ParsedGroups): boolean {
  const members = groups.members(body);
  if (!members) return body === tool || compileGlob(body)(tool) || tool.startsWith(`${body}__`);
  const named = members.filter((entry) => namesTool(entry.body, tool, groups));
  return named.length > 0 && named.every(({ negated }) => !negated);
}

/** Whether an entry grants at least one tool of an MCP server of the client. */
export const namesClientServer = (entry: string, server: string): boolean =>
  entry === `mcp__${server}` || entry.startsWith(`mcp__${server}__`);

/** `Bash(npm test:*)` allows commands with this prefix, and no shell operators after it. Throws for other commands. */
export function requireAllowedCommand(
  tool: string,
  args: Record<string, unknown>,
  entries: readonly string[],
): void {
  const ofTool = entries.filter((entry) => nameIn(entry) === tool);
  const rules = ofTool.flatMap((entry) => /\((.*)\)$/.exec(entry)?.[1] ?? []);
  if (rules.length < ofTool.length || rules.length === 0) return;
  const command = typeof args['command'] === 'string' ? args['command'].trim() : '';
  const isPlain = !/[;&|<>`$\n\\(){}]/.test(command);
  const fits = rules.some((rule) => {
    const start = rule.endsWith(':*') ? rule.slice(0, -2) : null;
    return start === null ? command === rule : command === start || command.startsWith(`${start} `);
  });
  if (isPlain && fits) return;
  throw new ZooError('permission_denied', `The agent may run only: ${rules.join(', ')}.`);
}
