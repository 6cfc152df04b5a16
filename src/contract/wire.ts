import { type GroupName, groups, type OperationName } from './api.ts';
import type { Method, Operation } from './operation.ts';

/** How an operation travels. */
export interface Wire {
  method: Method;
  path: string;
  body: boolean;
  conditional: boolean;
  ends: boolean;
  envelope: Operation['envelope'] | null;
  group: GroupName;
}

/**
 * The table without its schemas: all that a client needs. The build works it out beforehand and puts the result
 * in this file's place, so that a command starts without a schema library.
 */
export const wire: Record<OperationName, Wire> = mapTable((operation, group) => ({
  method: operation.method,
  path: operation.path,
  body: operation.body !== undefined,
  conditional: operation.conditional ?? false,
  ends: operation.ends ?? false,
  envelope: operation.envelope ?? null,
  group,
}));

function mapTable(render: (operation: Operation, group: GroupName) => Wire): Record<OperationName, Wire>;
function mapTable(render: (operation: Operation, group: GroupName) => Wire): Record<string, Wire> {
  const all: Record<GroupName, Record<string, Operation>> = groups;
  return Object.fromEntries(
    Object.keys(all)
      .filter(isGroup)
      .flatMap((group) =>
        Object.entries(all[group]).map(([name, operation]) => [name, render(operation, group)]),
      ),
  );
}

function isGroup(name: string): name is GroupName {
  return Object.hasOwn(groups, name);
}
