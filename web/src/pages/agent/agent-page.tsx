import { Link, Outlet, useNavigate, useParams } from '@tanstack/react-router';
import { Copy, MessageSquare } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Agent } from '../../../../src/contract/agent.ts';
import { addActions } from '../../app/palette-actions.ts';
import { Creature } from '../../creature/creature.tsx';
import { call } from '../../data/hub.ts';
import { useHubQuery, useKept } from '../../data/queries.ts';
import { Button, buttonClass } from '../../kit/button.tsx';
import { Badge, ErrorNote, Skeleton } from '../../kit/feedback.tsx';
import { usePageTitle } from '../../kit/page.tsx';
import { useActiveInView } from './use-active-in-view.ts';
import { useMoods } from '../../mood/use-mood.ts';
import { AgentDraftProvider, useAgentDraft } from './draft/agent-draft.tsx';
import { claimWindow } from './draft/draft-store.ts';
import { SaveBar } from './draft/save-bar.tsx';
import { MissingAgent } from './missing-agent.tsx';
import { agentTabs } from './tabs.ts';
import { TruthPane } from './truth/truth-pane.tsx';

/** The sheet of one agent. Its tabs are routes of their own, shown in the outlet. */
export function AgentPage() {
  const { id } = useParams({ from: '/agent/$id' });
  const { data, error } = useHubQuery('getAgent', { id });
  const agent = useKept(data);
  usePageTitle(agent?.name ?? id);
  if (agent?.id !== id) {
    return (
      <div className="mx-auto max-w-2xl px-5 py-12">
        {error ? <MissingAgent id={id} error={error} /> : <Skeleton lines={6} />}
      </div>
    );
  }
  return (
    <Claimed>
      <AgentDraftProvider key={id} agent={agent}>
        <Sheet deleted={error} />
      </AgentDraftProvider>
    </Claimed>
  );
}

/** Drafts belong to windows: this one has to be known before its draft is read. */
function Claimed({ children }: { children: React.ReactNode }) {
  const [isClaimed, setClaimed] = useState(false);
  useEffect(() => {
    void claimWindow().finally(() => setClaimed(true));
  }, []);
  return isClaimed ? children : null;
}

/** The tabs of this agent in the command palette. */
function useTabActions({ id, name }: Agent): void {
  const navigate = useNavigate();
  useEffect(
    () =>
      addActions(
        agentTabs.map(({ to, label }) => ({
          id: to,
          label,
          hint: name,
          group: 'This agent',
          run: () => void navigate({ to, params: { id } }),
        })),
      ),
    [id, name, navigate],
  );
}

function Sheet({ deleted }: { deleted: Error | null }) {
  const { draft, agent, canEdit, changed, error } = useAgentDraft();
  const mood = useMoods()(agent);
  useTabActions(agent);
  const tabs = useActiveInView<HTMLElement>();
  return (
    <div data-fills="wide" className="flex min-h-dvh flex-1 flex-col xl:min-h-0">
      <div className="sticky top-0 z-10 border-b border-line bg-paper px-4 pt-4 max-md:static sm:px-6">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Creature
            seed={draft.appearanceSeed}
            size={56}
            name={draft.name}
            {...(mood === null ? {} : { mood })}
          />
          <div className="min-w-0 flex-1 basis-56">
            <h1 className="truncate font-serif text-xl" title={draft.name}>
              {draft.name}
            </h1>
            <p className="flex items-center gap-2 text-xs text-soft">
              <span className="font-mono">{agent.id}</span>
              <Badge>{agent.source}</Badge>
              {agent.mode === 'interactive' ? null : <Badge>{agent.mode}</Badge>}
            </p>
          </div>
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2 max-sm:gap-x-2">
            <Link
              to="/chat"
              search={{ agent: agent.id, ...(changed.length > 0 ? { draft: true } : {}) }}
              className={buttonClass()}
            >
              <MessageSquare />
              {changed.length > 0 ? 'Chat with the draft' : 'Chat'}
            </Link>
            {canEdit ? <SaveBar /> : <FromFile agent={agent} />}
          </div>
        </div>
        <nav
          ref={tabs}
          aria-label="Parts of the agent"
          className="relative mt-3 -mb-px flex gap-5 overflow-x-auto"
        >
          {agentTabs.map(({ to, label }) => (
            <Link
              key={to}
              to={to}
              params={{ id: agent.id }}
              className="border-b-2 border-transparent pb-2 whitespace-nowrap text-soft hover:text-ink"
              activeProps={{ className: '!border-leaf !text-ink font-medium', 'aria-current': 'page' }}
            >
              {label}
            </Link>
          ))}
        </nav>
      </div>
      {deleted ? (
        <div className="px-4 pt-3 sm:px-6">
          <ErrorNote error={deleted} />
        </div>
      ) : null}
      {error ? (
        <div className="px-4 pt-3 sm:px-6">
          <ErrorNote error={error} />
        </div>
      ) : null}
      <div className="flex min-h-0 flex-1 max-xl:flex-col">
        {/* On narrow screens, the button of the pane floats over the lower end. */}
        <div className="min-w-0 flex-1 max-xl:pb-16 xl:overflow-y-auto">
          <Outlet />
        </div>
        <TruthPane />
      </div>
    </div>
  );
}

/** Agents in files are readable everywhere, and changed where they are. */
function FromFile({ agent }: { agent: Agent }) {
  const navigate = useNavigate();
  const [error, setError] = useState<Error | null>(null);
  const isProgram = agent.source === 'lua' || agent.source === 'typescript';
  const [isCopying, setCopying] = useState(false);
  const copy = async (): Promise<void> => {
    setCopying(true);
    try {
      const made = await call('cloneAgent', { id: agent.id });
      await navigate({ to: '/agent/$id/persona', params: { id: made.id } });
    } catch (failure) {
      setError(failure instanceof Error ? failure : null);
    } finally {
      setCopying(false);
    }
  };
  const { path = '', line } = agent.origin ?? {};
  return (
    <div className="flex flex-wrap items-center gap-3">
      <span className="text-right text-xs text-soft">
        Defined in
        <span className="block max-w-72 truncate font-mono text-ink" title={path}>
          {path.split(/[\\/]/).slice(-2).join('/')}
          {line === undefined ? '' : `:${line}`}
        </span>
      </span>
      {isProgram ? null : (
        <Button icon={<Copy />} disabled={isCopying} onClick={() => void copy()}>
          Copy to editor
        </Button>
      )}
      {error ? <ErrorNote error={error} /> : null}
    </div>
  );
}
