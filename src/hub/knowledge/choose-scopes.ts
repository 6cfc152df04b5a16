import { ZooError } from '../../contract/errors.ts';
import type { KnowledgeScope } from '../../knowledge/knowledge.ts';
import { chooseSources, meansSource } from '../../knowledge/source-reference.ts';
import { knowledgeScopesByConfig, untrustedSources } from './knowledge-scope.ts';
import type { View } from '../workspaces/view.ts';

export const meansAll = (what: string | undefined): boolean => what === undefined || what === 'all';

/** The sources that `what` selects, by config. `all` or nothing selects every source. */
export function chooseScopes(view: View, what: string | undefined): KnowledgeScope[] {
  const scopes = knowledgeScopesByConfig(view);
  const waiting = untrustedSources(view);
  if (what === undefined || meansAll(what)) {
    if (scopes.length > 0) return scopes;
    if (waiting.length > 0) throw untrusted(waiting.map(({ id }) => id));
    throw new ZooError(
      'invalid_arguments',
      'No sources are configured, so there is nothing to sync. Add one to zoo.toml, such as `[connectors.filesystem.docs]` with `root = "docs"`.',
    );
  }
  const sources = scopes.flatMap((scope) => scope.sources);
  const refused = waiting.filter((source) => meansSource(what, source));
  if (refused.length > 0 && !sources.some((source) => meansSource(what, source))) {
    throw untrusted(refused.map(({ id }) => id));
  }
  const chosen = new Set(chooseSources(what, sources));
  return scopes
    .map((scope) => ({ ...scope, sources: scope.sources.filter((source) => chosen.has(source)) }))
    .filter((scope) => scope.sources.length > 0);
}

function untrusted(ids: readonly string[]): ZooError {
  return new ZooError(
    'untrusted',
    `${ids.join(', ')} would be read from outside of a workspace that you have not approved.`,
    { sources: ids },
  );
}
