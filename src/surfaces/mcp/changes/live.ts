import { setTimeout as sleep } from 'node:timers/promises';
import type { EventType, ZooEvent } from '../../../contract/event.ts';
import type { Hub } from '../../../hub/hub.ts';
import type { McpLog } from '../serving/error-form.ts';

/** Changes within this time are reported together. */
const GATHER_MS = 40;
const RETRY_MS = 1000;

export type ListName = 'tools' | 'prompts' | 'resources';

/** The lists that a client should reload. */
export interface Change {
  lists: ReadonlySet<ListName>;
  /** Whether the resource at this address may have changed. */
  affects(uri: string): boolean;
}

/** Changes for the callers of a workspace, or of one agent in it. */
export interface Live {
  follow(whom: { workspace: string; agent: string | null }, listener: (change: Change) => void): () => void;
  close(): void;
}

interface Follower {
  agent: string | null;
  listener: (change: Change) => void;
}

const ALL: readonly ListName[] = ['tools', 'prompts', 'resources'];
const LISTS: Record<EventType, readonly ListName[]> = {
  'agent-created': ALL,
  'agent-changed': ALL,
  'agent-deleted': ALL,
  'agent-undeleted': ALL,
  'client-seen': [],
  'question-asked': [],
  'question-settled': [],
  'brain-created': [],
  'brain-changed': [],
  'brain-deleted': [],
  'current-changed': [],
  'knowledge-synced': ['resources'],
  // Upstream servers also have prompts and resources.
  'tools-changed': ALL,
  'upstream-changed': [],
  'run-changed': [],
  'team-changed': [],
  'diagnostics-changed': [],
  'trust-changed': ALL,
  'store-restored': ALL,
  'events-lost': ALL,
};

/** After these, anything may have changed. */
const EVERYTHING: ReadonlySet<EventType> = new Set(['trust-changed', 'store-restored', 'events-lost']);

/** Reads events once per workspace that has connected clients. */
export function createLive(hub: Hub, log: McpLog): Live {
  const workspaces = new Map<string, { followers: Set<Follower>; stop: AbortController }>();

  async function read(
    workspace: string,
    followers: ReadonlySet<Follower>,
    signal: AbortSignal,
  ): Promise<void> {
    let gathered: ZooEvent[] = [];
    let timer: NodeJS.Timeout | undefined;
    const tell = (): void => {
      const events = gathered;
      gathered = [];
      timer = undefined;
      if (!signal.aborted) for (const follower of followers) notify(follower, events);
    };
    const context = hub.localContext(workspace, signal);
    for await (const event of hub.operations.events({}, context)) {
      gathered.push(event);
      timer ??= setTimeout(tell, GATHER_MS).unref();
    }
  }

  async function keepReading(...reading: Parameters<typeof read>): Promise<void> {
    const [workspace, , signal] = reading;
    while (!signal.aborted) {
      try {
        return await read(...reading);
      } catch (error) {
        log.error('reading changes failed', { error, workspace });
        await sleep(RETRY_MS, undefined, { signal, ref: false }).catch(() => undefined);
      }
    }
  }

  return {
    follow({ workspace, agent }, listener) {
      const follower = { agent, listener };
      let entry = workspaces.get(workspace);
      if (!entry) {
        entry = { followers: new Set(), stop: new AbortController() };
        workspaces.set(workspace, entry);
        void keepReading(workspace, entry.followers, entry.stop.signal);
      }
      const { followers, stop } = entry;
      followers.add(follower);
      return () => {
        followers.delete(follower);
        if (followers.size > 0 || workspaces.get(workspace)?.followers !== followers) return;
        workspaces.delete(workspace);
        stop.abort();
      };
    },
    close() {
      for (const { stop } of workspaces.values()) stop.abort();
      workspaces.clear();
    },
  };
}

function notify({ agent, listener }: Follower, events: readonly ZooEvent[]): void {
  // A caller bound to an agent gets no events of other agents.
  const concerning = events.filter(({ agentId }) => agent === null || agentId === null || agentId === agent);
  if (concerning.length === 0) return;
  const lists = new Set(concerning.flatMap(({ type }) => LISTS[type]));
  const everything = concerning.some(({ type }) => EVERYTHING.has(type));
  const addresses = new Set(concerning.flatMap(addressesOf));
  listener({ lists, affects: (uri) => everything || addresses.has(addressOf(uri)) });
}

const AGENTS = 'agent-zoo://agents';
const SKILL = 'skill://';
const DOCUMENTS = 'agent-zoo://documents';

/** Without filters; files of a skill count as their agent, and documents as one, since a sync can change any. */
function addressOf(uri: string): string {
  const [address = uri] = uri.split('?');
  if (address.startsWith(`${DOCUMENTS}/`)) return DOCUMENTS;
  return address.startsWith(SKILL) ? SKILL + (address.slice(SKILL.length).split('/')[0] ?? '') : address;
}

/** The addresses that an event changes. */
function addressesOf({ type, agentId, data }: ZooEvent): string[] {
  if (type === 'knowledge-synced') return [DOCUMENTS];
  if (type === 'current-changed') return [`${AGENTS}/current`];
  if (agentId === null) return [];
  const agent = `${AGENTS}/${agentId}`;
  const skill = SKILL + agentId;
  if (type.startsWith('brain-')) {
    const { entryId } = data;
    return [`${agent}/brain`, ...(typeof entryId === 'string' ? [`${agent}/brain/${entryId}`] : []), skill];
  }
  return [AGENTS, `${AGENTS}/current`, agent, skill];
}
