import type { TrustState } from '../../../../src/contract/workspace.ts';
import { useHubQuery } from '../../data/queries.ts';
import { chooseWorkspace } from '../../data/workspace.ts';
import { Button } from '../../kit/button.tsx';
import { Badge, type Tone } from '../../kit/feedback.tsx';
import { Section } from './section.tsx';

const states: Record<TrustState, { word: string; tone: Tone }> = {
  own: { word: 'Yours', tone: 'neutral' },
  trusted: { word: 'Approved', tone: 'leaf' },
  changed: { word: 'Changed', tone: 'amber' },
  untrusted: { word: 'Waits for you', tone: 'amber' },
  'nothing-to-trust': { word: 'Nothing to approve', tone: 'neutral' },
};

/** The folders that the hub knows. */
export function WorkspacesSection() {
  const all = useHubQuery('listWorkspaces', {}).data?.workspaces ?? [];
  const current = useHubQuery('status', {}).data?.workspace.id;
  return (
    <Section
      id="workspaces"
      title="Workspaces"
      about="Each folder with agents, documents or tools of its own. The hub opens one when a client works in it."
    >
      <ul className="border-t border-line">
        {all.map(({ id, path, trust }) => (
          <li
            key={id}
            className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line py-2 text-sm"
          >
            <span className="min-w-0 flex-1 font-mono text-xs break-all">{path}</span>
            <Badge tone={states[trust].tone}>{states[trust].word}</Badge>
            <Button small disabled={id === current} onClick={() => chooseWorkspace(id)}>
              {id === current ? 'Shown now' : 'Show this one'}
            </Button>
          </li>
        ))}
      </ul>
    </Section>
  );
}
