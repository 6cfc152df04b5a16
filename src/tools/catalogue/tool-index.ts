import type { ToolDescriptor, ToolOrigin } from '../../contract/tool.ts';

/** Which tool wins if two have the same name. */
const PRECEDENCE = ['builtin', 'script', 'published', 'upstream'] as const satisfies readonly ToolOrigin[];

/** Negative if the first wins over the second. */
export function byPrecedence(a: ToolDescriptor, b: ToolDescriptor): number {
  const rank = PRECEDENCE.indexOf(a.origin) - PRECEDENCE.indexOf(b.origin);
  return rank || compareText(a.name, b.name) || compareText(a.displayName, b.displayName);
}

export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Tools by both forms of their names. */
export interface ToolIndex {
  /** The tool of a name; wire names go first. */
  find(name: string): ToolDescriptor | undefined;
  /** All tools with a name in either form. */
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
