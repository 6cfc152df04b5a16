import {
  autocompletion,
  closeBrackets,
  completionKeymap,
  type CompletionSource,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { markdown } from '@codemirror/lang-markdown';
import { linter } from '@codemirror/lint';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import { EditorView, keymap, placeholder as placeholderText } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { codeTheme } from './code-theme.ts';
import { argumentMarks, findUnknownArguments } from './placeholders.ts';

interface CodeEditorProps {
  /** For screen readers. */
  label: string;
  value: string;
  onChange?: (text: string) => void;
  placeholder?: string;
  /** Names that complete inside of `{{…}}`; others are underlined. Null leaves braces alone. */
  names?: readonly string[] | null;
  readOnly?: boolean;
  className?: string;
}

/**
 * A text that goes to a model. It lives in a shadow root: there, CodeMirror adopts its style sheets instead of adding
 * `<style>` elements, which the policy of the page forbids.
 */
export function CodeEditor(props: CodeEditorProps) {
  const { label, value, onChange, placeholder = '', names = null, readOnly = false, className = '' } = props;
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const latest = useRef(onChange);
  const argumentsPart = useRef(new Compartment());
  const first = useRef({ label, value, placeholder, readOnly });
  useEffect(() => {
    latest.current = onChange;
  });

  useEffect(() => {
    if (!host.current) return undefined;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
    const { label: name, value: doc, placeholder: hint, readOnly: fixed } = first.current;
    const made = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc,
        extensions: [
          codeTheme,
          history(),
          markdown(),
          closeBrackets(),
          EditorView.lineWrapping,
          EditorState.readOnly.of(fixed),
          EditorView.contentAttributes.of({ 'aria-label': name, spellcheck: 'true' }),
          placeholderText(hint),
          argumentsPart.current.of([]),
          keymap.of([...completionKeymap, ...historyKeymap, ...defaultKeymap]),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current?.(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = made;
    return () => made.destroy();
  }, []);

  useEffect(() => {
    const editor = view.current;
    if (!editor || editor.state.doc.toString() === value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);

  const known = names?.join(' ');
  useEffect(() => {
    const extension = known === undefined ? [] : argumentSupport(known.split(' ').filter(Boolean));
    view.current?.dispatch({ effects: argumentsPart.current.reconfigure(extension) });
  }, [known]);

  return <div ref={host} className={`min-h-0 overflow-hidden ${className}`} />;
}

function argumentSupport(names: readonly string[]): Extension {
  const complete: CompletionSource = (context) => {
    const typed = context.matchBefore(/\{\{\s*[\w-]*/);
    if (!typed) return null;
    const from = typed.from + (/^\{\{\s*/.exec(typed.text)?.[0].length ?? 0);
    const closed = context.state.sliceDoc(context.pos, context.pos + 2) === '}}';
    return {
      from,
      options: names.map((name) => ({ label: name, type: 'variable', apply: closed ? name : `${name}}}` })),
    };
  };
  return [
    argumentMarks,
    autocompletion({ override: [complete], icons: false }),
    linter(({ state }) => findUnknownArguments(state.doc.toString(), names), { delay: 150 }),
  ];
}
