import { useHubQuery } from '../data/queries.ts';

/** The names that people know tools by: `github.search` for the wire name `github__search`. */
export function useToolNames(wireNames: readonly string[]): (wireName: string) => string {
  // Only tools of servers have two names.
  const { data } = useHubQuery('listTools', {}, { enabled: wireNames.some((name) => name.includes('__')) });
  return (wireName) => data?.tools.find(({ name }) => name === wireName)?.displayName ?? wireName;
}
