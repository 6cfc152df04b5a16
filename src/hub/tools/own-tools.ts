import type { ToolDescriptor } from '../../contract/tool.ts';
import type { Scope } from '../../tools/scope/scope.ts';

const kept = new WeakMap<Scope, Map<string, Scope>>();

/** A scope without the tools that its agent publishes itself: an agent never calls itself. */
export function withoutOwn(scope: Scope, own: readonly ToolDescriptor[]): Scope {
  const there = own.filter((tool) => scope.includes(tool));
  if (there.length === 0) return scope;
  const key = there.map(({ name }) => name).join(' ');
  const byOwn = kept.get(scope) ?? new Map<string, Scope>();
  kept.set(scope, byOwn);
  const known = byOwn.get(key);
  if (known) return known;
  const names = new Set(there.flatMap(({ name, displayName }) => [name, displayName]));
  const left: Scope = {
    granted: scope.granted.filter((name) => !names.has(name)),
    available: scope.available.filter((tool) => !there.includes(tool)),
    unknown: scope.unknown,
    includes: (tool) => !there.includes(tool) && scope.includes(tool),
    explain: (name) =>
      names.has(name) ? { allowed: false, rule: null, index: null, via: [] } : scope.explain(name),
  };
  byOwn.set(key, left);
  return left;
}
