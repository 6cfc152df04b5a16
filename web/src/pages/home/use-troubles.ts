import { useQueries } from '@tanstack/react-query';
import type { LinkProps } from '@tanstack/react-router';
import { call } from '../../data/hub.ts';
import { useHubQuery } from '../../data/queries.ts';
import { useWorkspaceId } from '../../data/workspace.ts';
import { formatCount } from '../../kit/numbers.ts';

/** Something that does not go on by itself, and where it is put right. */
export interface Trouble {
  key: string;
  kind: 'trust' | 'server' | 'source' | 'letter';
  text: string;
  more: string;
  link: Pick<LinkProps, 'to' | 'search' | 'params' | 'hash'>;
}

/** Workspaces that wait for approval, servers and syncs that failed, dead letters of teams. */
export function useTroubles(): Trouble[] {
  const trust = useHubQuery('getTrust', {}).data;
  const servers = useHubQuery('listUpstreams', {}).data?.upstreams ?? [];
  const sources = useHubQuery('listSources', {}).data?.sources ?? [];
  const isWaiting = trust?.state === 'untrusted' || trust?.state === 'changed';
  return [
    ...(isWaiting
      ? [
          {
            key: 'trust',
            kind: 'trust' as const,
            text:
              trust.state === 'changed'
                ? 'This workspace has changed since you approved it.'
                : 'This workspace needs your approval.',
            more: `${formatCount(trust.runnables.length, 'entry', 'entries')} of its files would run or connect; none does until you approve.`,
            link: { to: '/settings', hash: 'trust' } as const,
          },
        ]
      : []),
    ...servers
      .filter(({ state }) => state === 'failed')
      .map(({ name, error }) => ({
        key: `server ${name}`,
        kind: 'server' as const,
        text: `The server ${name} failed.`,
        more: error === null ? '' : `${name} ${error}`,
        link: { to: '/tools', search: { server: name } } as const,
      })),
    ...sources
      .filter(({ healthy, configured }) => configured && !healthy)
      .map(({ id, name, last_error }) => ({
        key: `source ${id}`,
        kind: 'source' as const,
        text: `The last sync of ${name} failed.`,
        more: last_error ?? '',
        link: { to: '/knowledge' } as const,
      })),
    ...useDeadLetters(),
  ];
}

/** Of teams that can still deliver them. */
function useDeadLetters(): Trouble[] {
  const workspace = useWorkspaceId();
  const teams = useHubQuery('listTeams', {}).data?.teams ?? [];
  const alive = teams.filter(({ state }) => state === 'running' || state === 'paused');
  const dead = useQueries({
    queries: alive.map(({ id }) => ({
      queryKey: ['listTeamMessages', workspace, { id, dead: true }],
      queryFn: () => call('listTeamMessages', { id, dead: true }),
    })),
  });
  return alive.flatMap(({ id, name }, index) => {
    const letters = dead[index]?.data?.messages ?? [];
    if (letters.length === 0) return [];
    return [
      {
        key: `letters ${id}`,
        kind: 'letter' as const,
        text: `${formatCount(letters.length, 'message')} of team ${name} could not be delivered.`,
        more: letters[0]?.reason ?? '',
        link: { to: '/teams/$id', params: { id } } as const,
      },
    ];
  });
}
