import { structuredPatch } from 'diff';
import type { FieldChange } from '../../../contract/revision.ts';
import type { Paint } from '../output/paint.ts';

/** Both texts and their field fit into one line of a terminal. */
const shortTexts = 60;

/** Long texts line by line, everything else as `path: before -> after`. */
export function renderChanges(changes: readonly FieldChange[], paint: Paint): string {
  return changes.map((change) => renderChange(change, paint)).join('');
}

function renderChange({ path, before, after }: FieldChange, paint: Paint): string {
  const texts = [before, after].filter((value): value is string => typeof value === 'string');
  if (
    (texts.join('').length > shortTexts || texts.some((text) => text.includes('\n'))) &&
    isText(before) &&
    isText(after)
  ) {
    return renderText(path, before ?? '', after ?? '', paint);
  }
  const arrow = `${paint('removed', renderValue(before))} -> ${paint('added', renderValue(after))}`;
  return `${paint('bold', path)}: ${arrow}\n`;
}

function isText(value: unknown): value is string | null | undefined {
  return typeof value === 'string' || value === null || value === undefined;
}

function renderValue(value: unknown): string {
  return value === null || value === undefined ? '(none)' : JSON.stringify(value);
}

function renderText(path: string, before: string, after: string, paint: Paint): string {
  // A missing newline at the end of a text is not a change worth showing.
  const ended = (text: string) => (text === '' || text.endsWith('\n') ? text : `${text}\n`);
  const { hunks } = structuredPatch(path, path, ended(before), ended(after), '', '', { context: 3 });
  const lines = hunks.flatMap((hunk) => [
    paint('dim', `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`),
    ...hunk.lines.map((line) => {
      if (line.startsWith('+')) return paint('added', line);
      return line.startsWith('-') ? paint('removed', line) : line;
    }),
  ]);
  return [paint('bold', `--- ${path}`), paint('bold', `+++ ${path}`), ...lines]
    .map((line) => `${line}\n`)
    .join('');
}
