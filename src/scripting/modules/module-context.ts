import type {
  DocumentSource,
  FetchedDocument,
  FoundDocument,
  ModuleContext,
  ModuleSearchOptions,
} from '../../contract/package/agent-module.ts';
import type { Json, ScriptLog } from '../sandbox.ts';

/** The hub's functions for a module, in this thread or another. */
export interface ModuleHost {
  /** The query as the module gave it. */
  search(query: unknown): Promise<FoundDocument[]>;
  get(id: string): Promise<FetchedDocument>;
  sources(): Promise<DocumentSource[]>;
}

interface ContextParts {
  config: Json;
  signal: AbortSignal;
  log(level: ScriptLog['level'], message: string): void;
}

export function createModuleContext(host: ModuleHost, { config, signal, log }: ContextParts): ModuleContext {
  const line = (level: ScriptLog['level']) => (message: string) => log(level, String(message));
  return {
    search: (query: string | (ModuleSearchOptions & { query: string }), options: ModuleSearchOptions = {}) =>
      host.search(toQuery(typeof query === 'string' ? { ...options, query } : query)),
    get: (id) => host.get(id),
    sources: () => host.sources(),
    log: { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') },
    config: typeof config === 'object' && config !== null && !Array.isArray(config) ? config : {},
    signal,
  };
}

function toQuery({ source, filters, ...query }: ModuleSearchOptions & { query: string }): unknown {
  const all = source === undefined ? filters : { source, ...filters };
  return all === undefined ? query : { ...query, filters: all };
}
