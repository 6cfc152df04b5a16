import type { Diagnostic } from '@codemirror/lint';
import type { Extension } from '@codemirror/state';
import { useMemo } from 'react';
import { type ReferenceSyntax, supportReferences } from './reference-support.ts';

const PLACEHOLDER = /\{\{\s*([A-Za-z_][A-Za-z0-9_-]*)\s*\}\}/g;
const syntax: ReferenceSyntax = { pattern: PLACEHOLDER, opening: /\{\{\s*/, close: '}}' };

/** For texts of an agent: `{{name}}` completes to its arguments, and others are underlined. */
export function useArgumentSupport(names: readonly string[]): Extension {
  const known = names.join(' ');
  return useMemo(() => {
    const list = known.split(' ').filter(Boolean);
    return supportReferences(syntax, list, (text) => findUnknownArguments(text, list));
  }, [known]);
}

/** A warning for each `{{name}}` that no argument has. */
function findUnknownArguments(text: string, names: readonly string[]): Diagnostic[] {
  return [...text.matchAll(PLACEHOLDER)]
    .filter(([, name = '']) => !names.includes(name))
    .map(({ 0: whole, 1: name = '', index }) => ({
      from: index,
      to: index + whole.length,
      severity: 'warning',
      message: `{{${name}}} is not an argument of this agent and stays as written.`,
    }));
}
