import type { ToolDescriptor, ToolOrigin } from '../../contract/tool.ts';

/** Who wins where two tools have one name. */
const PRECEDENCE = ['builtin', 'script', 'published', 'upstream'] as const satisfies readonly ToolOrigin[];

/** Negative when the first wins over the second; the same whatever order they came in. */
export function byPrecedence(a: ToolDescriptor, b: ToolDescriptor): number {
  const rank = PRECEDENCE.indexOf(a.origin) - PRECEDENCE.indexOf(b.origin);
  return rank || compareText(a.name, b.name) || compareText(a.displayName, b.displayName);
}

export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Tools by both of their names. */
export interface ToolIndex {
  /** The one that a name stands for: a wire name before what people write. */
  find(name: string): ToolDescriptor | undefined;
  /** All that go by a name, in either form. */
  all(name: string): readonly ToolDescriptor[];
}

export function indexTools(descriptors: readonly ToolDescriptor[]): ToolIndex {
  const byName = new Map<string, ToolDescriptor[]>();
  const note = (name: string, descriptor: ToolDescriptor): void => {
    const known = byName.get(name);
    if (known) known.push(descriptor);
    else byName.set(name, [descriptor]);
  };
  for (const descriptor of descriptors.toSorted(byPrecedence)) {
    note(descriptor.name, descriptor);
    if (descriptor.displayName !== descriptor.name) note(descriptor.displayName, descriptor);
  }
  const all = (name: string) => byName.get(name) ?? [];
  return { all, find: (name) => all(name).find((each) => each.name === name) ?? all(name)[0] };
}
