import { MergeView, unifiedMergeView } from '@codemirror/merge';
import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { codeTheme } from './code-theme.ts';

/** An empty text has one empty line, which would be shown as removed. */
const nothingRemoved = EditorView.theme({ '.cm-deletedChunk': { display: 'none' } });

interface TextDiffProps {
  before: string;
  after: string;
  sideBySide?: boolean;
  /** For screen readers. */
  label: string;
}

/** Two versions of a text: one above the other with its changes marked, or side by side. */
export function TextDiff({ before, after, sideBySide = false, label }: TextDiffProps) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!host.current) return undefined;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
    const shared = [
      codeTheme,
      EditorView.lineWrapping,
      EditorState.readOnly.of(true),
      EditorView.editable.of(false),
      EditorView.contentAttributes.of({ 'aria-label': label }),
    ];
    const collapse = { margin: 2, minSize: 6 };
    if (sideBySide) {
      const view = new MergeView({
        root,
        parent: root,
        a: { doc: before, extensions: shared },
        b: { doc: after, extensions: shared },
        gutter: false,
        collapseUnchanged: collapse,
      });
      return () => view.destroy();
    }
    const merge = unifiedMergeView({
      original: before,
      mergeControls: false,
      gutter: false,
      collapseUnchanged: collapse,
    });
    const extensions = [...shared, merge, ...(before === '' ? [nothingRemoved] : [])];
    const view = new EditorView({ root, parent: root, doc: after, extensions });
    return () => view.destroy();
  }, [before, after, sideBySide, label]);
  return <div ref={host} className="overflow-hidden rounded-md border border-line bg-sheet" />;
}
