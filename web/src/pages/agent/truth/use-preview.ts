import { useEffect, useMemo, useRef, useState } from 'react';
import type { Agent, AgentPatch } from '../../../../../src/contract/agent.ts';
import type { PromptPreview } from '../../../../../src/contract/resolved.ts';
import { useConnection } from '../../../data/connection.ts';
import { call } from '../../../data/hub.ts';
import { createLatestCall, type LatestCall } from '../../../data/latest-call.ts';
import { useHubQuery } from '../../../data/queries.ts';
import { useAgentDraft } from '../draft/agent-draft.tsx';
import { useTryValues } from './try-values.ts';

interface Preview {
  /** Of the draft. */
  now: PromptPreview | null;
  /** Of the agent as saved. */
  saved: PromptPreview | null;
  error: Error | null;
}

/** The compiled prompt of the draft, as the hub makes it, and that of the saved agent to compare it with. */
export function usePreview(): Preview {
  const { agent, draft, changed } = useAgentDraft();
  const args = useTryValues(agent.id);
  const changes = useMemo(
    (): AgentPatch =>
      Object.fromEntries(
        // Tools that are being built are no part of the prompt, and half of one is not valid.
        changed.filter((field) => field !== 'publishedTools').map((field) => [field, draft[field]]),
      ),
    [changed, draft],
  );
  const now = useResolved(agent, changes, args);
  const saved = useResolved(agent, nothing, args);
  return { now: now.preview, saved: saved.preview, error: now.error };
}

const nothing: AgentPatch = {};

interface Result {
  preview: PromptPreview | null;
  error: Error | null;
  /** What it was resolved with, besides the agent. */
  surroundings: string;
}

interface Request {
  id: string;
  body: { changes: AgentPatch; arguments: Record<string, string> };
  surroundings: string;
}

function useResolved(agent: Agent, changes: AgentPatch, args: Readonly<Record<string, string>>) {
  const [result, setResult] = useState<Result>({ preview: null, error: null, surroundings: '' });
  const connection = useConnection();
  const surroundings = useSurroundings(agent.id);
  const resolving = useRef<LatestCall<Request>>(null);
  useEffect(() => {
    const latest = createLatestCall({
      send: ({ id, body }: Request, signal) => call('previewAgent', { id, body }, signal),
      onAnswer: (preview, asked) => setResult({ preview, error: null, surroundings: asked.surroundings }),
      onError: (error) =>
        setResult((before) => ({ ...before, error: error instanceof Error ? error : null })),
    });
    resolving.current = latest;
    return () => latest.stop();
  }, []);
  useEffect(() => {
    if (connection === 'lost') return;
    resolving.current?.ask({ id: agent.id, body: { changes, arguments: args }, surroundings });
  }, [agent, changes, args, connection, surroundings]);
  return result;
}

/** What else goes into a prompt, as a text that differs when it does: pinned memory, and documents. */
function useSurroundings(agentId: string): string {
  const pinned = useHubQuery('queryBrain', { id: agentId, pinned: true }).data?.entries ?? [];
  const sources = useHubQuery('listSources', {}).data?.sources ?? [];
  return [
    ...pinned.map(({ id, type, content }) => `${id} ${type} ${content}`),
    ...sources.flatMap(({ id, last_sync }) => (last_sync === null ? [] : [`${id} ${last_sync}`])),
  ].join('\n');
}
