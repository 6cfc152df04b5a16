import type { OperationName } from '../api.ts';
import type { Operation } from './operation.ts';
import { wire } from './wire.ts';

/** One operation, without the schemas of the other groups: building those takes most of a command's start-up time. */
export async function loadOperation(name: OperationName): Promise<Operation> {
  const file: unknown = await import(`../operations/${wire[name].group}.ts`);
  const found = isGroup(file) ? file.operations[name] : undefined;
  if (!found) throw new Error(`operations/${wire[name].group}.ts has no operation ${name}`);
  return found;
}

const isGroup = (file: unknown): file is { operations: Partial<Record<string, Operation>> } =>
  typeof file === 'object' && file !== null && 'operations' in file;
