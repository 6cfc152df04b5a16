import type { OperationName } from '../api.ts';
import type { Method, Operation } from './operation.ts';
import * as groups from '../operations/index.ts';

/** How an operation travels. */
export interface Wire {
  method: Method;
  path: string;
  body: boolean;
  conditional: boolean;
  ends: boolean;
  envelope: Operation['envelope'] | null;
  /** Its file in `operations/`. */
  group: string;
}

/**
 * The table without its schemas: all that a client needs. Builds evaluate this file and replace it with the result,
 * so that commands and the page start without a schema library (see scripts/wire-table.js).
 */
export const wire = tabulate();

// An overload for the same reason as in api.ts.
function tabulate(): Record<OperationName, Wire>;
function tabulate(): Record<string, Wire> {
  return Object.fromEntries(
    Object.entries(groups).flatMap(([group, { operations }]) =>
      Object.entries<Operation>(operations).map(([name, each]) => [name, toWire(each, group)] as const),
    ),
  );
}

function toWire({ method, path, body, conditional, ends, envelope }: Operation, group: string): Wire {
  return {
    method,
    path,
    body: body !== undefined,
    conditional: conditional ?? false,
    ends: ends ?? false,
    envelope: envelope ?? null,
    group,
  };
}
