import type { Diagnostic } from '@codemirror/lint';
import {
  Decoration,
  MatchDecorator,
  ViewPlugin,
  type DecorationSet,
  type EditorView,
  type ViewUpdate,
} from '@codemirror/view';

const PLACEHOLDER = /\{\{\s*([A-Za-z_][A-Za-z0-9_-]*)\s*\}\}/g;

const decorator = new MatchDecorator({
  regexp: PLACEHOLDER,
  decoration: Decoration.mark({ class: 'cm-argument' }),
});

/** Marks every `{{name}}`. */
export const argumentMarks = ViewPlugin.fromClass(
  class {
    marks: DecorationSet;
    constructor(view: EditorView) {
      this.marks = decorator.createDeco(view);
    }
    update(update: ViewUpdate): void {
      this.marks = decorator.updateDeco(update, this.marks);
    }
  },
  { decorations: ({ marks }) => marks },
);

/** A warning for each `{{name}}` that no argument has. */
export function findUnknownArguments(text: string, names: readonly string[]): Diagnostic[] {
  return [...text.matchAll(PLACEHOLDER)]
    .filter(([, name = '']) => !names.includes(name))
    .map(({ 0: whole, 1: name = '', index }) => ({
      from: index,
      to: index + whole.length,
      severity: 'warning',
      message: `{{${name}}} is not an argument of this agent and stays as written.`,
    }));
}
