import type { Diagnostic } from '@codemirror/lint';
import type { Extension } from '@codemirror/state';
import { useMemo } from 'react';
import type { ToolInputSchema } from '../../../../../src/contract/parameters.ts';
import { publishedToolProblems } from '../../../../../src/contract/published/check-published-tool.ts';
import { TOOL_PROPERTIES } from '../../../../../src/contract/published/prompt-template.ts';
import { type ReferenceSyntax, supportReferences } from '../../../kit/editor/reference-support.ts';
import { referencePaths } from './schema/edit-schema.ts';

/** `{name}` and `{a.b}`, but not the text in `{{name}}`. */
const REFERENCE = /(?<!\{)\{([\p{L}_][\p{L}\p{N}_-]*(?:\.[\p{L}\p{N}_-]+)*)\}(?!\})/gu;
const syntax: ReferenceSyntax = { pattern: REFERENCE, opening: /\{/, close: '}' };

/** For prompt templates: `{parameter}` is marked and completed, and underlined where there is no such parameter. */
export function useTemplateSupport(parameters: ToolInputSchema): Extension {
  return useMemo(
    () =>
      supportReferences(syntax, [...referencePaths(parameters), ...TOOL_PROPERTIES], (text) =>
        findUnknownReferences(text, parameters),
      ),
    [parameters],
  );
}

function findUnknownReferences(text: string, parameters: ToolInputSchema): Diagnostic[] {
  const problems = publishedToolProblems({ name: '', prompt: text, parameters })
    .filter(({ path }) => path[0] === 'prompt')
    .map(({ message }) => message);
  return [...text.matchAll(REFERENCE)].flatMap(({ 0: whole, index }) => {
    const message = problems.find((each) => each.startsWith(`${whole}: `));
    return message === undefined
      ? []
      : [{ from: index, to: index + whole.length, severity: 'warning' as const, message }];
  });
}
