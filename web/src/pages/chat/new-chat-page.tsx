import { useNavigate, useSearch } from '@tanstack/react-router';
import { LibraryBig, MessageSquare, PencilLine } from 'lucide-react';
import { useState } from 'react';
import type { Agent, AgentPatch } from '../../../../src/contract/agent.ts';
import { Creature } from '../../creature/creature.tsx';
import { call } from '../../data/hub.ts';
import { useHubQuery } from '../../data/queries.ts';
import { Button } from '../../kit/button.tsx';
import { Checkbox } from '../../kit/choice.tsx';
import { Empty, ErrorNote, Skeleton, WarningNote } from '../../kit/feedback.tsx';
import { Field, TextInput } from '../../kit/field.tsx';
import { usePageTitle } from '../../kit/page.tsx';
import { PlainSelect } from '../../kit/selects/plain-select.tsx';
import { readDraft } from '../agent/draft/draft-store.ts';
import { readDocument } from './attachments.tsx';
import { ChatLayout } from './chat-layout.tsx';
import { ChatList } from './chat-list.tsx';
import { DocumentPicker } from './document-picker.tsx';
import { ModelPicker } from './model-picker.tsx';
import { putPending } from './unsent.ts';

/** Where a chat begins: with an agent, some of its skills, a document in view. */
export function NewChatPage() {
  usePageTitle('Chat');
  const { agent: wanted } = useSearch({ from: '/chat' });
  const { data, error } = useHubQuery('listAgents', {});
  const chats = useHubQuery('listChats', { limit: 200 }).data?.chats ?? [];
  const agents = data?.agents ?? [];
  const [chosen, setChosen] = useState<string | null>(null);
  const last = chats[0]?.agentId;
  const fallback = agents.find(({ id }) => id === last)?.id ?? agents[0]?.id;
  const id = chosen ?? wanted ?? fallback;
  return (
    <ChatLayout current={null}>
      <div className="h-full overflow-y-auto px-4 py-8">
        <div className="mx-auto grid max-w-2xl gap-6">
          <h1 className="font-serif text-2xl">New chat</h1>
          {error ? <ErrorNote error={error} /> : null}
          {data && agents.length === 0 ? (
            <Empty title="No agents yet" command="zoo agent create">
              A chat needs an agent to talk to.
            </Empty>
          ) : null}
          {id === undefined ? null : (
            <>
              <Field label="Agent" hint="Who answers.">
                {() => (
                  <PlainSelect
                    label="Agent"
                    value={id}
                    options={agents.map((agent) => ({ value: agent.id, label: agent.name }))}
                    onChange={setChosen}
                  />
                )}
              </Field>
              <ChosenAgent key={id} id={id} />
            </>
          )}
          {chats.length === 0 ? null : (
            <div className="border-t border-line pt-5 lg:hidden">
              <ChatList chats={chats} current={null} />
            </div>
          )}
        </div>
      </div>
    </ChatLayout>
  );
}

function ChosenAgent({ id }: { id: string }) {
  const { data: agent, error } = useHubQuery('getAgent', { id });
  if (error) return <ErrorNote error={error} />;
  return agent === undefined ? <Skeleton lines={4} /> : <StartForm agent={agent} />;
}

function StartForm({ agent }: { agent: Agent }) {
  const search = useSearch({ from: '/chat' });
  const navigate = useNavigate();
  const [unsaved] = useState(() => readDraft(agent.id)?.fields ?? null);
  const [withDraft, setWithDraft] = useState(search.draft === true && unsaved !== null);
  const shown: Agent = withDraft && unsaved ? { ...agent, ...unsaved } : agent;
  const [skills, setSkills] = useState<Readonly<Record<string, boolean>>>({});
  const [args, setArgs] = useState<Readonly<Record<string, string>>>({});
  const [model, setModel] = useState<string | null>(null);
  const [headless, setHeadless] = useState(false);
  const [documents, setDocuments] = useState<readonly string[]>(
    search.document === undefined ? [] : [search.document],
  );
  const [isPicking, setPicking] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const definition = definitionOf(shown, withDraft ? unsaved : null, skills);
  const [isStarting, setStarting] = useState(false);
  const start = async (): Promise<void> => {
    setStarting(true);
    try {
      const files = await Promise.all(documents.map(readDocument));
      const { id } = await call('createChat', {
        body: {
          agent: agent.id,
          headless,
          arguments: args,
          ...(model === null ? {} : { model }),
          ...(definition === null ? {} : { definition }),
        },
      });
      putPending(id, files);
      await navigate({ to: '/chat/$id', params: { id } });
    } catch (failure) {
      setError(failure instanceof Error ? failure : new Error(String(failure)));
      setStarting(false);
    }
  };
  return (
    <div className="grid gap-5">
      <div className="flex items-center gap-3">
        <Creature seed={shown.appearanceSeed} size={48} />
        <p className="text-base text-soft">{shown.description === '' ? shown.name : shown.description}</p>
      </div>
      {unsaved === null ? null : (
        <WarningNote>
          <Checkbox
            label={`Run the unsaved draft (${Object.keys(unsaved).join(', ')})`}
            checked={withDraft}
            onChange={setWithDraft}
          />
        </WarningNote>
      )}
      {shown.arguments.length === 0 ? null : (
        <fieldset className="grid gap-3">
          <legend className="mb-2 text-sm font-medium">Arguments</legend>
          {shown.arguments.map(({ name, description, required, default: preset }) => (
            <Field key={name} label={name} hint={description} aside={required ? 'required' : 'optional'}>
              {(ids) => (
                <TextInput
                  {...ids}
                  placeholder={preset === undefined ? '' : String(preset)}
                  value={args[name] ?? ''}
                  onChange={({ target }) => setArgs({ ...args, [name]: target.value })}
                />
              )}
            </Field>
          ))}
        </fieldset>
      )}
      {shown.skills.length === 0 ? null : (
        <fieldset className="grid gap-2">
          <legend className="mb-2 text-sm font-medium">Skills for this chat</legend>
          {shown.skills.map((skill) => (
            <Checkbox
              key={skill.id}
              label={skill.name}
              checked={skills[skill.id] ?? skill.enabled}
              onChange={(on) => setSkills({ ...skills, [skill.id]: on })}
            />
          ))}
        </fieldset>
      )}
      <div className="flex flex-wrap items-center gap-3">
        <ModelPicker value={model} onChange={setModel} />
        <Button icon={<LibraryBig />} onClick={() => setPicking(true)}>
          {documents.length === 0 ? 'Put a document in view' : `${documents.length} in view`}
        </Button>
        <Checkbox label="Headless: nobody is asked for approval" checked={headless} onChange={setHeadless} />
      </div>
      {definition === null ? null : (
        <p className="flex items-center gap-2 text-xs text-soft">
          <PencilLine className="size-3.5" />
          The chat runs with unsaved changes of {Object.keys(definition).join(', ')}; the agent stays as it
          is.
        </p>
      )}
      {error ? <ErrorNote error={error} /> : null}
      <div>
        <Button look="primary" icon={<MessageSquare />} disabled={isStarting} onClick={() => void start()}>
          Start chat
        </Button>
      </div>
      <DocumentPicker
        open={isPicking}
        onClose={() => setPicking(false)}
        onPick={(document) => {
          setPicking(false);
          setDocuments([...documents, document]);
        }}
      />
    </div>
  );
}

/** The draft, and the skills that were switched for this chat; null if the agent is used as saved. */
function definitionOf(
  agent: Agent,
  draft: AgentPatch | null,
  switched: Readonly<Record<string, boolean>>,
): AgentPatch | null {
  const isSwitched = agent.skills.some(({ id, enabled }) => (switched[id] ?? enabled) !== enabled);
  if (!isSwitched) return draft;
  const skills = agent.skills.map((skill) => ({ ...skill, enabled: switched[skill.id] ?? skill.enabled }));
  return { ...draft, skills };
}
