import { ZooError } from '../../contract/errors.ts';
import type { ConnectorType } from '../../contract/knowledge.ts';
import type { ConfiguredSource } from '../../knowledge/connector.ts';
import type { KnowledgeScope } from '../../knowledge/knowledge.ts';
import { meansSource } from '../../knowledge/source-reference.ts';
import { nearest } from '../../platform/text/nearest.ts';

interface Named {
  type: ConnectorType;
  name: string;
}

export const sourceId = ({ type, name }: Named): string => `${type}:${name}`;

/** Names it among those of all workspaces. */
export const sourceKey = (source: Named & { owner: string | null }): string =>
  JSON.stringify([source.owner, source.type, source.name]);

/** Whether a caller that is bound to `only` sees it. */
export function isAllowed(source: Named, only: readonly string[] | null): boolean {
  return only === null || only.some((name) => meansSource(name, source));
}

export function visibleSources({ sources, only }: KnowledgeScope): ConfiguredSource[] {
  return sources.filter((source) => isAllowed(source, only));
}

/** Those that a name means. Says which there are where it means none. */
export function chooseSources<S extends Named>(name: string, sources: readonly S[]): S[] {
  const chosen = sources.filter((source) => meansSource(name, source));
  if (chosen.length > 0) return chosen;
  const ids = sources.map(sourceId);
  const near = nearest(
    name,
    sources.flatMap((source) => [sourceId(source), source.name, source.type]),
  );
  const known =
    ids.length === 0 ? 'none is configured' : `there ${ids.length === 1 ? 'is' : 'are'} ${ids.join(', ')}`;
  const hint = near === null ? '' : `; did you mean '${near}'?`;
  throw new ZooError('invalid_arguments', `There is no source '${name}': ${known}${hint}`, {
    source: name,
    sources: ids,
  });
}
