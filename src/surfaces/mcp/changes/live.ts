import { setTimeout as sleep } from 'node:timers/promises';
import type { EventType, ZooEvent } from '../../../contract/event.ts';
import type { Hub } from '../../../hub/hub.ts';
import type { McpLog } from '../serving/error-form.ts';

/** Changes that come together are told together. */
const GATHER_MS = 40;
const RETRY_MS = 1000;

export type ListName = 'tools' | 'prompts' | 'resources';

/** What a client should read again. */
export interface Change {
  lists: ReadonlySet<ListName>;
  /** Whether what is at this address may be another now. */
  affects(uri: string): boolean;
}

/** Changes, as they concern callers of a workspace, or one agent of it. */
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
  'brain-created': [],
  'brain-changed': [],
  'brain-deleted': [],
  'current-changed': [],
  'knowledge-synced': ['resources'],
  // A server that comes or goes brings prompts and resources along.
  'tools-changed': ALL,
  'diagnostics-changed': [],
  'trust-changed': ALL,
  'store-restored': ALL,
  'events-lost': ALL,
};

/** After these, anything may be another. */
const EVERYTHING: ReadonlySet<EventType> = new Set(['trust-changed', 'store-restored', 'events-lost']);

/** One reader of events for each workspace that somebody is connected from. */
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
        log.error('changes could not be followed', { error, workspace });
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
  // What happens to other agents is nothing to somebody who acts as one.
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

/** Filters do not change what a resource is about, all of a skill is about its agent, and a sync about any document. */
function addressOf(uri: string): string {
  const [address = uri] = uri.split('?');
  if (address.startsWith(`${DOCUMENTS}/`)) return DOCUMENTS;
  return address.startsWith(SKILL) ? SKILL + (address.slice(SKILL.length).split('/')[0] ?? '') : address;
}

/** The resources that an event is about. */
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
