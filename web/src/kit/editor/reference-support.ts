import { autocompletion, type CompletionSource } from '@codemirror/autocomplete';
import { type Diagnostic, linter } from '@codemirror/lint';
import type { Extension } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  MatchDecorator,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';

/** References of a text, such as `{{language}}`: how they look, how they are typed, what is wrong with them. */
export interface ReferenceSyntax {
  /** Every reference; global, because it is matched all over the text. */
  pattern: RegExp;
  /** What has been typed of one before the cursor, up to where the name begins. */
  opening: RegExp;
  close: string;
}

/** Marks the references of a text, completes their names and underlines those with a problem. */
export function supportReferences(
  { pattern, opening, close }: ReferenceSyntax,
  names: readonly string[],
  problemsIn: (text: string) => Diagnostic[],
): Extension {
  const complete: CompletionSource = (context) => {
    const typed = context.matchBefore(new RegExp(`${opening.source}[\\p{L}\\p{N}_.-]*`, 'u'));
    if (!typed) return null;
    const from = typed.from + (opening.exec(typed.text)?.[0].length ?? 0);
    const isClosed = context.state.sliceDoc(context.pos, context.pos + close.length) === close;
    return {
      from,
      options: names.map((name) => ({
        label: name,
        type: 'variable',
        apply: isClosed ? name : name + close,
      })),
    };
  };
  return [
    markMatches(pattern),
    autocompletion({ override: [complete], icons: false }),
    linter(({ state }) => problemsIn(state.doc.toString()), { delay: 150 }),
  ];
}

function markMatches(regexp: RegExp): Extension {
  const decorator = new MatchDecorator({ regexp, decoration: Decoration.mark({ class: 'cm-argument' }) });
  return ViewPlugin.fromClass(
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
}
