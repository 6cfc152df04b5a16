import { closeBrackets, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { commonmarkLanguage, markdownKeymap } from '@codemirror/lang-markdown';
import { Annotation, Compartment, EditorState, type Extension } from '@codemirror/state';
import { EditorView, keymap, placeholder as placeholderText } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { flushSync } from 'react-dom';
import { codeTheme } from './code-theme.ts';

interface CodeEditorProps {
  /** For screen readers. */
  label: string;
  value: string;
  onChange?: (text: string) => void;
  placeholder?: string;
  /** The language of the text; Markdown without one. Read once. */
  language?: Extension;
  /** Completion and marks for what this text may refer to. Has to be the same object while nothing changes. */
  support?: Extension | null;
  readOnly?: boolean;
  className?: string;
}

/** Not `markdown()`: that brings along the grammars of HTML, CSS and JavaScript. */
const markdown: Extension = [commonmarkLanguage, keymap.of(markdownKeymap)];

/** Marks changes that came from the page and not from the keyboard. */
const fromOutside = Annotation.define<boolean>();

/**
 * A text that goes to a model. It lives in a shadow root: there, CodeMirror adopts its style sheets instead of adding
 * `<style>` elements, which the policy of the page forbids.
 */
export function CodeEditor(props: CodeEditorProps) {
  const { label, value, onChange, placeholder = '', language = markdown } = props;
  const { support = null, readOnly = false, className = '' } = props;
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const latest = useRef(onChange);
  const supportPart = useRef(new Compartment());
  const first = useRef({ label, value, placeholder, language, readOnly });
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
          first.current.language,
          closeBrackets(),
          EditorView.lineWrapping,
          EditorState.readOnly.of(fixed),
          EditorView.contentAttributes.of({ 'aria-label': name, spellcheck: 'true' }),
          placeholderText(hint),
          supportPart.current.of([]),
          keymap.of([...completionKeymap, ...historyKeymap, ...defaultKeymap]),
          EditorView.updateListener.of((update) => {
            if (!update.docChanged || update.transactions.some((made) => made.annotation(fromOutside)))
              return;
            // At once: what depends on the text is then asked for before the browser lays it out and paints it.
            flushSync(() => latest.current?.(update.state.doc.toString()));
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
    editor.dispatch({
      changes: { from: 0, to: editor.state.doc.length, insert: value },
      annotations: fromOutside.of(true),
    });
  }, [value]);

  useEffect(() => {
    view.current?.dispatch({ effects: supportPart.current.reconfigure(support ?? []) });
  }, [support]);

  return <div ref={host} className={`min-h-0 overflow-hidden ${className}`} />;
}
