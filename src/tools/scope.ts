import type { ToolDescriptor } from '../contract/tool.ts';

/** Which tools an agent may see and call, and by which of its rules. */
export interface Scope {
  /** Wire names that are granted, in a stable order; one may be granted while its server is away. */
  granted: string[];
  /** The granted tools that exist now. */
  available: ToolDescriptor[];
  /** Names that no tool has. */
  unknown: string[];
  /** Why a tool is in or out. */
  explain(name: string): ScopeReason;
}

export interface ScopeReason {
  allowed: boolean;
  /** The entry of the agent's list that decided; null when no entry did. */
  rule: string | null;
}

export interface ScopeOptions {
  groups?: Readonly<Record<string, readonly string[]>>;
}

/**
 * The one place where a scope is computed. Null is the read-only built-ins, an empty list nothing, `*` everything;
 * a `!` entry takes away whatever else gave it. Names are taken in wire form and as people write them.
 */
export function expandScope(
  declared: readonly string[] | null,
  catalogue: readonly ToolDescriptor[],
  { groups = {} }: ScopeOptions = {},
): Scope {
  const rules = declared === null ? null : flatten(declared, groups);
  const includes = rules?.filter((rule) => !rule.startsWith('!')) ?? [];
  const excludes = rules?.filter((rule) => rule.startsWith('!')).map((rule) => rule.slice(1)) ?? [];

  function explain(tool: Pick<ToolDescriptor, 'name' | 'displayName'>): ScopeReason {
    const excluded = excludes.find((rule) => matches(rule, tool));
    if (excluded !== undefined) return { allowed: false, rule: `!${excluded}` };
    const included = includes.find((rule) => matches(rule, tool));
    return { allowed: included !== undefined, rule: included ?? null };
  }

  const allowed = (tool: ToolDescriptor) =>
    rules === null ? tool.origin === 'builtin' && tool.annotations.readOnlyHint : explain(tool).allowed;
  const available = catalogue.filter(allowed);
  const unknown = includes.filter(
    (rule) => !rule.includes('*') && !catalogue.some((tool) => matches(rule, tool)),
  );
  const pending = unknown.filter((name) => !excludes.some((rule) => matches(rule, asWritten(name))));
  const ordered = includes.flatMap((rule) =>
    pending.includes(rule) ? [rule] : available.filter((tool) => matches(rule, tool)).map(({ name }) => name),
  );
  return {
    granted: rules === null ? available.map(({ name }) => name) : [...new Set(ordered)],
    available,
    unknown,
    explain: (name) => {
      const tool = catalogue.find((tool) => tool.name === name || tool.displayName === name);
      if (rules === null) return { allowed: tool !== undefined && allowed(tool), rule: null };
      return explain(tool ?? asWritten(name));
    },
  };
}

function asWritten(name: string): Pick<ToolDescriptor, 'name' | 'displayName'> {
  return { name, displayName: name };
}

function flatten(declared: readonly string[], groups: NonNullable<ScopeOptions['groups']>): string[] {
  return declared.flatMap((entry) => {
    const negated = entry.startsWith('!');
    const members = Object.hasOwn(groups, negated ? entry.slice(1) : entry)
      ? groups[negated ? entry.slice(1) : entry]
      : undefined;
    if (!members) return [entry];
    return negated ? members.map((member) => `!${member}`) : [...members];
  });
}

function matches(rule: string, tool: Pick<ToolDescriptor, 'name' | 'displayName'>): boolean {
  if (!rule.includes('*')) return rule === tool.name || rule === tool.displayName;
  const pattern = new RegExp(`^${rule.split('*').map(escapeRegExp).join('.*')}$`, 's');
  return pattern.test(tool.name) || pattern.test(tool.displayName);
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
