import type { Agent } from '../contract/agent.ts';
import type {
  ContextAccess,
  ContextDocument,
  ContextPassage,
  Found,
  FoundDocument,
} from '../contract/prompt-context.ts';
import { documentSection } from './compile.ts';
import { messageOf } from '../platform/text/error-message.ts';

export interface GatheredContext {
  documents: ContextDocument[];
  searches: number;
  fetches: number;
  warnings: string[];
}

const GAP = '\n\n[…]\n\n';
const NAMED = 3;

/**
 * The agent's documents: first its references, then its queries, each document once, up to the budget.
 * Never fails: errors become warnings, and the document is skipped.
 */
export async function gatherContext(
  agent: Agent,
  fillQuery: (text: string) => string,
  access: ContextAccess,
  countTokens: (text: string) => number,
): Promise<GatheredContext> {
  const attempt = async (what: string, look: () => Promise<Found>): Promise<Found> => {
    try {
      return await look();
    } catch (error) {
      const reason = messageOf(error);
      return { documents: [], warnings: [`${what} was skipped: ${reason}`] };
    }
  };
  // Runs queries concurrently.
  const found = await Promise.all([
    ...agent.contextRefs.map((reference) => attempt(`'${reference}'`, () => access.fetch(reference))),
    ...agent.context.map((query) => {
      const filled = { ...query, query: fillQuery(query.query) };
      return attempt(`The context for '${filled.query}'`, () => access.search(filled));
    }),
  ]);
  const documents = onceEach(found.flatMap((each) => each.documents));
  const fitted = fit(documents, access.budget, countTokens);
  return {
    documents: fitted.documents,
    searches: agent.context.length,
    fetches: documents.length,
    warnings: [...found.flatMap((each) => each.warnings), ...fitted.warnings],
  };
}

/** Merges the passages of a document that several queries found. */
function onceEach(found: readonly FoundDocument[]): FoundDocument[] {
  const byId = new Map<string, FoundDocument>();
  for (const document of found) {
    const known = byId.get(document.id);
    const passages = known
      ? [
          ...known.passages,
          ...document.passages.filter((passage) => !known.passages.some((each) => covers(each, passage))),
        ]
      : document.passages;
    byId.set(document.id, { ...document, ...known, passages });
  }
  return [...byId.values()];
}

const covers = (outer: ContextPassage, inner: ContextPassage): boolean =>
  outer.lineStart <= inner.lineStart && outer.lineEnd >= inner.lineEnd;

function fit(
  found: readonly FoundDocument[],
  budget: number,
  countTokens: (text: string) => number,
): { documents: ContextDocument[]; warnings: string[] } {
  const documents: ContextDocument[] = [];
  const warnings: string[] = [];
  const dropped: string[] = [];
  let left = budget;
  for (const { passages, ...document } of found) {
    const cost = (body: string) => countTokens(documentSection({ ...document, body }));
    let room = left - cost('');
    const taken: ContextPassage[] = [];
    for (const passage of passages) {
      const tokens = countTokens(passage.text);
      if (tokens > room) break;
      room -= tokens;
      taken.push(passage);
    }
    // Token counts of parts may add up to less than the count of the whole.
    let used = cost(joined(taken));
    while (taken.length > 0 && used > left) {
      taken.pop();
      used = cost(joined(taken));
    }
    if (taken.length === 0) {
      dropped.push(document.title || document.id);
      continue;
    }
    if (taken.length < passages.length) {
      warnings.push(
        `'${document.title || document.id}' was cut to ${taken.length} of ${passages.length} passages: ` +
          `the limit for documents is ${budget} tokens (context_tokens).`,
      );
    }
    left -= used;
    documents.push({ ...document, body: joined(taken) });
  }
  if (dropped.length > 0) {
    const more = dropped.length > NAMED ? ` and ${dropped.length - NAMED} more` : '';
    warnings.push(
      `Skipped ${dropped.slice(0, NAMED).join(', ')}${more}: ` +
        `the limit for documents is ${budget} tokens (context_tokens).`,
    );
  }
  return { documents, warnings };
}

/** Joins passages in document order, marks gaps, and does not repeat overlapping lines. */
function joined(passages: readonly ContextPassage[]): string {
  let text = '';
  let last = 0;
  for (const passage of passages.toSorted((a, b) => a.lineStart - b.lineStart || a.lineEnd - b.lineEnd)) {
    if (passage.lineEnd <= last && passage.lineStart < passage.lineEnd) continue;
    const lines = passage.text.split('\n');
    const byLine = lines.length === passage.lineEnd - passage.lineStart + 1;
    const shared = byLine ? Math.max(0, last - passage.lineStart + 1) : 0;
    const gap = text === '' ? '' : passage.lineStart > last + 1 ? GAP : '\n';
    text += gap + lines.slice(shared).join('\n');
    last = Math.max(last, passage.lineEnd);
  }
  return text;
}
