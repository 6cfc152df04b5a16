import { isTable } from '../config-edits/format.ts';
import type { Table } from '../config-edits/format.ts';
import type { Launch, LaunchPatch } from './client.ts';

/** The entry format that most clients share. */
export function standardEntry({ command, args, env }: LaunchPatch): Table {
  return { command, args: [...args], env: { ...env } };
}

export function standardLaunch({ command, args, env }: Table): Launch | null {
  if (typeof command !== 'string') return null;
  return { command, args: textsOf(args), env: variablesOf(env) };
}

export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

export function variablesOf(value: unknown): Record<string, string> {
  if (!isTable(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, String(item)]));
}
