import { useEffect, useMemo, useState } from 'react';
import type { Agent, AgentPatch } from '../../../../../src/contract/agent.ts';
import type { PromptPreview } from '../../../../../src/contract/resolved.ts';
import { useConnection } from '../../../data/connection.ts';
import { call } from '../../../data/hub.ts';
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

function useResolved(agent: Agent, changes: AgentPatch, args: Readonly<Record<string, string>>) {
  const [result, setResult] = useState<Result>({ preview: null, error: null, surroundings: '' });
  const connection = useConnection();
  const surroundings = useSurroundings(agent.id);
  useEffect(() => {
    if (connection === 'lost') return undefined;
    const stop = new AbortController();
    call('previewAgent', { id: agent.id, body: { changes, arguments: args } }, stop.signal).then(
      (preview) => setResult({ preview, error: null, surroundings }),
      (error: unknown) => {
        if (!stop.signal.aborted)
          setResult((before) => ({ ...before, error: error instanceof Error ? error : null }));
      },
    );
    return () => stop.abort();
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
