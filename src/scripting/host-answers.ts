import * as z from 'zod';
import { ZooError } from '../contract/errors.ts';
import { SearchFilters, SearchMode, SearchQuery } from '../contract/knowledge.ts';
import { parseJson } from './json-text.ts';
import type { HostValue } from './lua-values.ts';
import type { ScriptFile, ScriptHost, ScriptResult } from './sandbox.ts';

export interface HostAnswers {
  /** Rejects with an error whose message is for the script. */
  answer(name: string, args: HostValue[]): Promise<HostValue>;
  hostCalls: ScriptResult['hostCalls'];
}

/** Options of a search as scripts write them: a source alone, or within `filters`. */
const SearchOptions = z.strictObject({
  mode: SearchMode.optional(),
  limit: SearchQuery.shape.limit,
  source: z.string().optional(),
  filters: z.preprocess((value) => (isEmptyList(value) ? {} : value), SearchFilters).optional(),
});
const SearchTable = SearchOptions.extend({ query: SearchQuery.shape.query });

/** What the hub does for one call of a script. */
export function createHostAnswers(_script: ScriptFile, host: ScriptHost, signal: AbortSignal): HostAnswers {
  const hostCalls: ScriptResult['hostCalls'] = {};

  async function search([first, second]: HostValue[]): Promise<HostValue> {
    const table =
      typeof first === 'string'
        ? { ...parse('context.search', SearchOptions, second ?? {}), query: first }
        : first;
    const { source, filters, ...query } = parse('context.search', SearchTable, table);
    const narrowed = source === undefined ? filters : { ...filters, source };
    return plain(await host.search({ ...query, ...(narrowed ? { filters: narrowed } : {}) }, signal));
  }

  async function get([id]: HostValue[]): Promise<HostValue> {
    return plain(await host.get(parse('context.get', z.string().min(1), id), signal));
  }

  const functions: Record<string, (args: HostValue[]) => Promise<HostValue>> = {
    'context.search': search,
    'context.get': get,
    'context.sources': async () => plain(await host.sources(signal)),
    emit: async ([item]) => {
      if (!host.emit)
        throw new ZooError('invalid_arguments', 'emit is there for connectors, while they scan');
      await host.emit(parse('emit', z.json(), item));
      return null;
    },
  };

  return {
    hostCalls,
    async answer(name, args) {
      const [method] = args;
      const shown = name === 'http' && typeof method === 'string' ? `http.${method}` : name;
      const counted = (hostCalls[shown] ??= { count: 0, ms: 0 });
      const startedAt = performance.now();
      try {
        const answer = functions[name];
        if (!answer) throw new Error(`there is no ${name}`);
        return await answer(args);
      } finally {
        counted.count++;
        counted.ms += performance.now() - startedAt;
      }
    },
  };
}

/** An empty table of Lua's is an empty list to JSON. */
const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0;

function parse<S extends z.ZodType>(name: string, schema: S, value: unknown): z.infer<S> {
  const parsed = schema.safeParse(isEmptyList(value) ? {} : value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const at = issue?.path.length ? ` ${issue.path.join('.')}:` : '';
  throw new ZooError('invalid_arguments', `${name}:${at} ${issue?.message ?? 'it was called wrongly'}`);
}

/** What crosses to a thread is data: what JSON would say of it. */
function plain(value: unknown): HostValue {
  return parseJson(JSON.stringify(value ?? null));
}
