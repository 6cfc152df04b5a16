import { ZooError } from '../contract/errors.ts';
import type { ConnectorType, KnowledgeSource, SearchFilters } from '../contract/knowledge.ts';
import { nearest } from '../contract/nearest.ts';

interface NamedSource {
  type: ConnectorType;
  name: string;
}

/** Names a source within its workspace: `TYPE:NAME`. */
export const sourceId = ({ type, name }: NamedSource): string => `${type}:${name}`;

/** Names a source among those of all workspaces. */
export const sourceKey = ({ owner, type, name }: NamedSource & { owner: string | null }): string =>
  JSON.stringify([owner, type, name]);

/** Whether `TYPE:NAME`, a name or a type refers to this source. */
export function meansSource(reference: string, { type, name }: { type: string; name: string }): boolean {
  return reference === `${type}:${name}` || reference === name || reference === type;
}

/** The sources named by a filter; empty if it names none. */
export function namedSources(source: SearchFilters['source']): string[] {
  return (typeof source === 'string' ? [source] : (source ?? [])).filter((name) => name !== '');
}

/** Whether a caller that is bound to the sources in `only` may see this one. */
export function isAllowed(source: NamedSource, only: readonly string[] | null): boolean {
  return only === null || only.some((name) => meansSource(name, source));
}

export function visibleSources<S extends NamedSource>({
  sources,
  only,
}: {
  sources: readonly S[];
  only: readonly string[] | null;
}): S[] {
  return sources.filter((source) => isAllowed(source, only));
}

/** The sources that a reference names. Throws `invalid_arguments`, listing the known ones, if there are none. */
export function chooseSources<S extends NamedSource>(reference: string, sources: readonly S[]): S[] {
  const chosen = sources.filter((source) => meansSource(reference, source));
  if (chosen.length > 0) return chosen;
  const ids = sources.map(sourceId);
  const near = nearest(
    reference,
    sources.flatMap((source) => [sourceId(source), source.name, source.type]),
  );
  const known = ids.length === 0 ? 'No sources are configured.' : `Available sources: ${ids.join(', ')}.`;
  const hint = near === null ? '' : ` Did you mean '${near}'?`;
  throw new ZooError('invalid_arguments', `Source '${reference}' not found. ${known}${hint}`, {
    source: reference,
    sources: ids,
  });
}

/** The state of a source before its first sync. */
export const NEVER_SYNCED = {
  documents: 0,
  chunks: 0,
  bytes: 0,
  tokens: 0,
  skipped: 0,
  failed: [],
  last_sync: null,
  last_error: null,
} satisfies Partial<KnowledgeSource>;
