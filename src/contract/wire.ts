import { api, type OperationName } from './api.ts';
import type { Method, Operation } from './operation.ts';

/** How an operation travels. */
export interface Wire {
  method: Method;
  path: string;
  body: boolean;
  conditional: boolean;
  ends: boolean;
  envelope: Operation['envelope'] | null;
}

/**
 * The table without its schemas: all that a client needs. The build works it out beforehand and puts the result
 * in this file's place, so that a command starts without a schema library.
 */
export const wire: Record<OperationName, Wire> = mapTable((operation) => ({
  method: operation.method,
  path: operation.path,
  body: operation.body !== undefined,
  conditional: operation.conditional ?? false,
  ends: operation.ends ?? false,
  envelope: operation.envelope ?? null,
}));

function mapTable(render: (operation: Operation) => Wire): Record<OperationName, Wire>;
function mapTable(render: (operation: Operation) => Wire): Record<string, Wire> {
  return Object.fromEntries(Object.entries(api).map(([name, operation]) => [name, render(operation)]));
}
