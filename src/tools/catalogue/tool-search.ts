import { distance } from 'fastest-levenshtein';
import { stemmer } from 'stemmer';
import type { ToolDescriptor } from '../../contract/tool.ts';
import { compareText } from './tool-index.ts';

/** Full-text search over a list of tools. */
export interface ToolSearch {
  /** Best match first; without a query, all tools by name. */
  find(query: string): readonly ToolDescriptor[];
}

/** The weight of an occurrence, by field. */
const WEIGHTS = { name: 4, title: 2, description: 1, parameter: 1.5, parameterText: 0.5 } as const;
const SATURATION = 1.2;
const LENGTH_PENALTY = 0.6;
/** The weight of prefix matches and typos. */
const BEGINS_LIKE = 0.6;
const TYPED_LIKE = 0.5;
const NAMED = 1000;

interface Indexed {
  tool: ToolDescriptor;
  weights: Map<string, number>;
  length: number;
}

const searches = new WeakMap<readonly ToolDescriptor[], ToolSearch>();

/** The search over a list of tools, built once per list. */
export function searchTools(tools: readonly ToolDescriptor[]): ToolSearch {
  const known = searches.get(tools);
  if (known) return known;
  const search = createToolSearch(tools);
  searches.set(tools, search);
  return search;
}

function createToolSearch(tools: readonly ToolDescriptor[]): ToolSearch {
  const indexed = tools.map(indexTool);
  const average = indexed.reduce((sum, { length }) => sum + length, 0) / Math.max(1, indexed.length);
  const postings = new Map<string, Indexed[]>();
  for (const each of indexed) {
    for (const word of each.weights.keys()) {
      const found = postings.get(word);
      if (found) found.push(each);
      else postings.set(word, [each]);
    }
  }

  function scoreOf(word: string, { weights, length }: Indexed, documents: number): number {
    const weight = weights.get(word) ?? 0;
    const rarity = Math.log(1 + (indexed.length - documents + 0.5) / (documents + 0.5));
    const norm = SATURATION * (1 - LENGTH_PENALTY + (LENGTH_PENALTY * length) / average);
    return (rarity * weight * (SATURATION + 1)) / (weight + norm);
  }

  /** Indexed words that match a word of the query, with a certainty. */
  function meant(word: string): [string, number][] {
    const exact: [string, number][] = postings.has(word) ? [[word, 1]] : [];
    const others = [...postings.keys()].flatMap((known): [string, number][] => {
      if (known === word) return [];
      if (word.length >= 3 && known.startsWith(word)) return [[known, BEGINS_LIKE]];
      if (exact.length > 0 || word.length < 4) return [];
      return distance(word, known) <= (word.length >= 8 ? 2 : 1) ? [[known, TYPED_LIKE]] : [];
    });
    return [...exact, ...others];
  }

  return {
    find(query) {
      const asked = query.trim();
      if (asked === '') return tools;
      const scores = new Map<ToolDescriptor, number>();
      for (const word of new Set(wordsOf(asked))) {
        const best = new Map<ToolDescriptor, number>();
        for (const [known, certainty] of meant(word)) {
          const found = postings.get(known) ?? [];
          for (const each of found) {
            const score = certainty * scoreOf(known, each, found.length);
            best.set(each.tool, Math.max(best.get(each.tool) ?? 0, score));
          }
        }
        for (const [tool, score] of best) scores.set(tool, (scores.get(tool) ?? 0) + score);
      }
      for (const tool of tools) {
        const bonus = nameBonus(asked, tool);
        if (bonus > 0) scores.set(tool, (scores.get(tool) ?? 0) + bonus);
      }
      return [...scores]
        .toSorted(([a, left], [b, right]) => right - left || compareText(a.name, b.name))
        .map(([tool]) => tool);
    },
  };
}

/** Ranks a tool first if the query is its name. */
function nameBonus(asked: string, { name, displayName }: ToolDescriptor): number {
  if (asked === name || asked === displayName) return 2 * NAMED;
  const lower = asked.toLowerCase();
  const names = [name.toLowerCase(), displayName.toLowerCase()];
  if (names.includes(lower)) return NAMED;
  return names.some((each) => each.includes(lower)) ? 1 : 0;
}

function indexTool(tool: ToolDescriptor): Indexed {
  const weights = new Map<string, number>();
  let length = 0;
  const note = (text: unknown, weight: number): void => {
    if (typeof text !== 'string') return;
    for (const word of wordsOf(text)) {
      weights.set(word, (weights.get(word) ?? 0) + weight);
      length += weight;
    }
  };
  note(tool.displayName, WEIGHTS.name);
  if (tool.title !== tool.displayName) note(tool.title, WEIGHTS.title);
  note(tool.description, WEIGHTS.description);
  for (const [parameter, schema] of Object.entries(recordOf(tool.inputSchema.properties))) {
    note(parameter, WEIGHTS.parameter);
    note(recordOf(schema).description, WEIGHTS.parameterText);
  }
  return { tool, weights, length };
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

const BOUNDARY = /(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|[^\p{L}\p{N}]+/u;

/** `listPullRequests`, `list_pull_request` and `list pull requests` are the same words. */
function wordsOf(text: string): string[] {
  return text
    .split(BOUNDARY)
    .filter((word) => word !== undefined && word !== '')
    .map((word) => stemmer(word.toLowerCase()));
}
