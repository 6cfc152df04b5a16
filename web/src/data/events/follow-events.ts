import type { EventType } from '../../../../src/contract/event.ts';
import type { UnaryName } from '../../../../src/contract/api.ts';
import { readConnection, setConnection } from '../connection.ts';
import type { FeedNews } from './event-feed.ts';
import { invalidate, invalidateAll } from '../queries.ts';
import { openSharedFeed } from './shared-feed.ts';

const agentReads: readonly UnaryName[] = [
  'listAgents',
  'getAgent',
  'agentHistory',
  'diffAgent',
  'getScope',
  'previewScope',
  'status',
  'listDiagnostics',
];

/** Which answers each event makes stale. Null is all of them. */
const staleAfter: Record<EventType, readonly UnaryName[] | null> = {
  'agent-created': agentReads,
  'agent-changed': agentReads,
  'agent-deleted': agentReads,
  'agent-undeleted': agentReads,
  'brain-created': ['queryBrain'],
  'brain-changed': ['queryBrain'],
  'brain-deleted': ['queryBrain'],
  'current-changed': ['getCurrent'],
  'tools-changed': [
    'listTools',
    'listUpstreams',
    'getScope',
    'previewScope',
    'listToolChanges',
    'listAgents',
    'listDiagnostics',
    'status',
  ],
  'upstream-changed': ['listUpstreams', 'getUpstreamLog'],
  'knowledge-synced': ['listSources', 'searchKnowledge'],
  'client-seen': ['listClients'],
  'run-changed': ['listRuns', 'listJobs', 'getRun', 'getRunHistory', 'listChats', 'getSpending'],
  'team-changed': [
    'listTeams',
    'listJobs',
    'getTeam',
    'listTeamMessages',
    'listMemberTurns',
    'getMemberDiff',
  ],
  'question-asked': ['listQuestions'],
  'question-settled': ['listQuestions'],
  'diagnostics-changed': ['listDiagnostics', 'listAgents', 'getAgent', 'status'],
  'trust-changed': null,
  'store-restored': null,
  'events-lost': null,
};

/**
 * Follows the changes of every surface until the returned function is called. Another login or workspace needs another
 * feed.
 */
export function followEvents(_way: string, workspace: string | null): () => void {
  const ending = new AbortController();
  const catchUp = async (): Promise<void> => {
    setConnection('behind');
    await invalidateAll();
    if (readConnection() === 'behind') setConnection('live');
  };
  const hear = (news: FeedNews): void => {
    if (news.kind === 'lost') setConnection('lost');
    if (news.kind === 'open' && readConnection() === 'lost') void catchUp();
    // Another window reads the feed already.
    if (news.kind === 'joined' && readConnection() === 'connecting') setConnection('live');
    if (news.kind === 'event') hearEvent(news.type);
  };
  const hearEvent = (type: EventType): void => {
    const names = staleAfter[type];
    // The first event starts the feed, and nothing was read before it (`whenFollowed`).
    if (readConnection() === 'connecting') setConnection('live');
    else if (names === null) void catchUp();
    else invalidate(names);
  };
  openSharedFeed(workspace, hear, ending.signal);
  return () => {
    ending.abort();
    setConnection('connecting');
  };
}
