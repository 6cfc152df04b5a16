import { ZooError } from '../../contract/errors.ts';
import type { ConfiguredSource } from '../connector.ts';
import { meansSource } from '../source-reference.ts';

/** Those that `all`, `TYPE`, `TYPE:NAME` or a name means. Throws `invalid_arguments`, with what there is. */
export function chooseSources(
  what: string | undefined,
  sources: readonly ConfiguredSource[],
): readonly ConfiguredSource[] {
  if (what === undefined || what === 'all') return sources;
  const chosen = sources.filter((source) => meansSource(what, source));
  if (chosen.length > 0) return chosen;
  const known = sources.map(({ type, name }) => `${type}:${name}`);
  const there = known.length > 0 ? `There are: ${known.join(', ')}.` : 'No source is configured.';
  throw new ZooError('invalid_arguments', `There is no source '${what}'. ${there}`, { sources: known });
}
