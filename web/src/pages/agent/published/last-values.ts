import type { FormValues } from '../../../schema-form/form-values.ts';
import { isRecord } from '../../../kit/is-record.ts';
import { local } from '../../../data/browser-storage.ts';

const keyOf = (agentId: string, toolId: string): string => `agent-zoo-test:${agentId}:${toolId}`;

/** The values that a tool was last tested with. */
export function readLastValues(agentId: string, toolId: string): FormValues {
  try {
    const value: unknown = JSON.parse(local.getItem(keyOf(agentId, toolId)) ?? '{}');
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

export function writeLastValues(agentId: string, toolId: string, values: FormValues): void {
  local.setItem(keyOf(agentId, toolId), JSON.stringify(values));
}
