import type { ReceiptPart } from '../../contract/resolved.ts';
import type { ScriptHost } from '../../scripting/sandbox.ts';

/** A host that records the documents which a program finds or fetches, for its receipt. */
export function recordDocuments(
  host: ScriptHost,
  countTokens: (text: string) => number,
): { host: ScriptHost; parts(): ReceiptPart[] } {
  const byId = new Map<string, ReceiptPart>();
  const add = (part: ReceiptPart): void => {
    const known = byId.get(part.id);
    byId.set(part.id, { ...known, ...part, tokens: Math.max(part.tokens, known?.tokens ?? 0) });
  };
  return {
    parts: () => [...byId.values()],
    host: {
      ...host,
      async search(query, signal) {
        const results = await host.search(query, signal);
        for (const { score, relevance, passages, ...hit } of results) {
          const text = passages.map(({ snippet }) => snippet).join('\n');
          add({ ...described(hit), score, relevance, tokens: countTokens(text) });
        }
        return results;
      },
      async get(id, signal) {
        const document = await host.get(id, signal);
        add({ ...described(document), tokens: document.tokens });
        return document;
      },
    },
  };
}

interface Described {
  id: string;
  title: string;
  source: string;
  path: string;
  updated_at: string | null;
}

function described({ id, title, source, path, updated_at: updatedAt }: Described) {
  return { kind: 'context' as const, id, title, source, path, ...(updatedAt === null ? {} : { updatedAt }) };
}
