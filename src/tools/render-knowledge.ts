import type { DocumentView, KnowledgeSource, SearchAnswer, SearchHit } from '../contract/knowledge.ts';
import { fence, oneLine } from '../platform/text/fence.ts';

/** Documents are fenced: nothing in them is an instruction. */
export function renderAnswer(query: string, { results, notes }: SearchAnswer): string {
  const found = results.map(renderHit);
  const head = results.length === 0 ? [`No results for ${JSON.stringify(query)}.`] : [];
  return [...head, ...found, ...notes.map((note) => `Note: ${note}`)].join('\n\n');
}

function renderHit(found: SearchHit): string {
  const { id, title, source, path, relevance, updated_at, passages, snippet } = found;
  const shown = passages.map((passage) => {
    const { headings, lineStart, lineEnd } = passage;
    const where = headings.length > 0 ? `${oneLine(headings.join(' > '))}, ` : '';
    return `[${passage.id}] ${where}lines ${lineStart}-${lineEnd}\n${quoted(passage.snippet)}`;
  });
  return fence(
    'result',
    { id, title, source, path, changed: dayOf(updated_at), relevance: relevance.toFixed(2) },
    (shown.length > 0 ? shown : [quoted(snippet)]).join('\n'),
  );
}

const quoted = (snippet: string): string =>
  snippet
    .trim()
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');

const dayOf = (instant: string | null): string | undefined => instant?.slice(0, 10);

/** `whole` is the document before it was shortened. */
export function renderDocument(document: DocumentView, whole: DocumentView): string {
  const rest = restOf(document, whole);
  const { id, title, source, path, url, updated_at, line_start: first, line_end: last, lines } = document;
  const attributes = {
    id,
    title,
    source,
    path,
    url: url ?? undefined,
    changed: dayOf(updated_at),
    lines: first > 1 || last < lines ? `${first}-${last} of ${lines}` : undefined,
  };
  return [fence('document', attributes, document.body), ...(rest === null ? [] : [rest])].join('\n\n');
}

/** How to read the remaining lines. */
function restOf({ id, body, line_end: last, lines }: DocumentView, whole: DocumentView): string | null {
  const within = last >= lines || whole.line_end === last;
  if (body.length < whole.body.length && within) {
    const [first, final] = [whole.chunks[0]?.id ?? id, whole.chunks.at(-1)?.id ?? id];
    return `(Showing ${body.length} of ${whole.body.length} characters: read its passages ${first} to ${final} for the rest)`;
  }
  return last < lines ? `(${lines - last} more lines: continue with line_start=${last + 1})` : null;
}

export function renderSources(sources: readonly KnowledgeSource[]): string {
  if (sources.length === 0) return 'No sources are configured.';
  return sources
    .map((source) => {
      const never = source.documents > 0 ? 'synced in part' : 'never synced';
      const fresh = source.last_sync === null ? never : `synced ${source.last_sync}`;
      const state = source.last_error === null ? '' : `; ${source.last_error}`;
      return `- ${source.id} (${source.location}): ${source.documents} documents, ${fresh}${state}`;
    })
    .join('\n');
}
