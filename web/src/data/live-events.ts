import type { EventType } from '../../../src/contract/event.ts';
import type { UnaryName } from '../../../src/contract/api.ts';
import { readConnection, setConnection } from './connection.ts';
import { openEvents } from './hub.ts';
import { invalidate, invalidateAll } from './queries.ts';

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
  'run-changed': ['listRuns', 'getRun', 'listChats', 'getSpending'],
  'team-changed': ['listTeams', 'getTeam', 'listTeamMessages', 'inspectMember', 'getMemberDiff'],
  'question-asked': ['listQuestions'],
  'question-settled': ['listQuestions'],
  'diagnostics-changed': ['listDiagnostics', 'listAgents', 'getAgent', 'status'],
  'trust-changed': null,
  'store-restored': null,
  'events-lost': null,
};

/** The hub sends a heartbeat every 15 seconds: a line that is silent for longer is dead, as after sleep. */
const SILENCE_MS = 40_000;
const RETRY_MS = 1000;

/**
 * Follows the changes of every surface until the returned function is called. The client resumes a broken line at its
 * cursor. Another login or workspace needs another line.
 */
export function followEvents(_way: string, _workspace: string | null): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  let heardAt = performance.now();
  let line = new AbortController();

  const catchUp = async (): Promise<void> => {
    setConnection('behind');
    await invalidateAll();
    if (readConnection() === 'behind') setConnection('live');
  };
  const watch = {
    onOpen: () => {
      if (readConnection() === 'lost') void catchUp();
    },
    onBytes: () => {
      heardAt = performance.now();
    },
    onLost: () => {
      if (!signal.aborted) setConnection('lost');
    },
  };
  const follow = async (): Promise<void> => {
    while (!signal.aborted) {
      line = new AbortController();
      try {
        for await (const { type } of openEvents(watch, AbortSignal.any([signal, line.signal]))) {
          const names = staleAfter[type];
          // The first event begins the line, and nothing was read before it (`whenFollowed`).
          if (readConnection() === 'connecting') setConnection('live');
          else if (names === null) void catchUp();
          else invalidate(names);
        }
      } catch {
        setConnection('lost');
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  };
  const reopenIfSilent = (): void => {
    if (document.visibilityState === 'visible' && performance.now() - heardAt > SILENCE_MS) line.abort();
  };
  const timer = setInterval(reopenIfSilent, SILENCE_MS);
  document.addEventListener('visibilitychange', reopenIfSilent);
  signal.addEventListener('abort', () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', reopenIfSilent);
    setConnection('connecting');
  });
  void follow();
  return () => ending.abort();
}
