import * as z from 'zod';
import { ZooError } from '../../contract/errors.ts';
import { SearchFilters, SearchMode, SearchQuery } from '../../contract/knowledge.ts';
import { parseHostGrants } from './host-grants.ts';
import { loose, parse } from './host-options.ts';
import { answerHttp } from './http-answer.ts';
import { parseJson } from '../lua/json-text.ts';
import type { HostValue } from '../lua/host-value.ts';
import type { ScriptFile, ScriptHost, ScriptResult } from '../sandbox.ts';

export interface HostAnswers {
  /** Rejects with an error whose message is for the script. */
  answer(name: string, args: HostValue[]): Promise<HostValue>;
  hostCalls: ScriptResult['hostCalls'];
}

/** Search options of scripts: `source` at the top level or in `filters`. */
const SearchOptions = z.strictObject({
  mode: SearchMode.optional(),
  limit: SearchQuery.shape.limit,
  source: z.string().optional(),
  filters: loose(SearchFilters).optional(),
});
const SearchTable = SearchOptions.extend({ query: SearchQuery.shape.query });

/** The hub's side of one call of a script. */
export function createHostAnswers(script: ScriptFile, host: ScriptHost, signal: AbortSignal): HostAnswers {
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

  const grants = parseHostGrants(script.grants.hosts);
  const functions: Record<string, (args: HostValue[]) => Promise<HostValue>> = {
    'context.search': search,
    'context.get': get,
    'context.sources': async () => plain(await host.sources(signal)),
    http: (args) => answerHttp(args, grants, signal),
    emit: async ([item]) => {
      if (!host.emit)
        throw new ZooError('invalid_arguments', 'emit is only available to connectors, during a scan');
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
        if (!answer) throw new Error(`unknown host function ${name}`);
        return await answer(args);
      } finally {
        counted.count++;
        counted.ms += performance.now() - startedAt;
      }
    },
  };
}

/** Only JSON data crosses to a thread. */
function plain(value: unknown): HostValue {
  return parseJson(JSON.stringify(value ?? null));
}
