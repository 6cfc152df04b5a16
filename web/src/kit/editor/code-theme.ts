import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const marks = HighlightStyle.define([
  { tag: tags.heading, fontWeight: '600' },
  { tag: tags.strong, fontWeight: '600' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: [tags.monospace, tags.string], color: 'var(--leaf)' },
  { tag: [tags.processingInstruction, tags.contentSeparator], color: 'var(--ink-faint)' },
  { tag: [tags.link, tags.url], color: 'var(--leaf)', textDecoration: 'underline' },
  { tag: [tags.keyword, tags.bool, tags.number, tags.propertyName], color: 'var(--leaf)' },
]);

/** The look of everything a model reads. Custom properties reach into the shadow root of an editor. */
export const codeTheme = [
  syntaxHighlighting(marks),
  EditorView.theme({
    '&': { height: '100%', fontSize: '13.5px', color: 'var(--ink)', backgroundColor: 'transparent' },
    '&.cm-focused': { outline: 'none' },
    '.cm-scroller': {
      fontFamily: "'JetBrains Mono', ui-monospace, monospace",
      lineHeight: '1.6',
      fontVariantLigatures: 'none',
      textRendering: 'auto',
    },
    '.cm-content': { padding: '14px 0', caretColor: 'var(--ink)' },
    '.cm-line': { padding: '0 16px' },
    '.cm-cursor': { borderLeftColor: 'var(--ink)' },
    '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': {
      backgroundColor: 'color-mix(in oklch, var(--leaf) 24%, transparent) !important',
    },
    '.cm-placeholder': { color: 'var(--ink-faint)' },
    '.cm-argument': { color: 'var(--leaf)', backgroundColor: 'var(--leaf-wash)', borderRadius: '3px' },
    '.cm-lintRange-warning': {
      backgroundImage: 'none',
      textDecoration: 'underline wavy var(--amber) 1px',
      textUnderlineOffset: '4px',
    },
    '.cm-tooltip': {
      backgroundColor: 'var(--sheet)',
      color: 'var(--ink)',
      border: '1px solid var(--line)',
      borderRadius: '6px',
      boxShadow: 'var(--shadow-float)',
      fontFamily: "'Inter', system-ui, sans-serif",
    },
    '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
      backgroundColor: 'var(--leaf-wash)',
      color: 'var(--ink)',
    },
    '.cm-diagnostic': { borderLeft: 'none', padding: '6px 10px', fontSize: '12.5px' },
    '.cm-changedLine': { backgroundColor: 'color-mix(in oklch, var(--leaf) 9%, transparent) !important' },
    '.cm-deletedChunk': {
      paddingLeft: '16px',
      backgroundColor: 'color-mix(in oklch, var(--danger) 9%, transparent) !important',
    },
    '.cm-changedText': {
      background: 'color-mix(in oklch, var(--leaf) 26%, transparent) !important',
    },
    '.cm-deletedText': {
      background: 'color-mix(in oklch, var(--danger) 26%, transparent) !important',
    },
    // The library's own colours are for a light page, and its signs are in none of our fonts.
    '.cm-collapsedLines': {
      padding: '3px 16px',
      color: 'var(--ink-soft) !important',
      background: 'var(--wash) !important',
      fontFamily: "'Inter', system-ui, sans-serif",
      fontSize: '12px',
    },
    '.cm-collapsedLines:before, .cm-collapsedLines:after': { content: 'none !important' },
    '.cm-gutters': { backgroundColor: 'transparent', border: 'none', color: 'var(--ink-faint)' },
  }),
];
