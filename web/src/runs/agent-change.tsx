import { useHubQuery } from '../data/queries.ts';
import { ErrorNote, Skeleton } from '../kit/feedback.tsx';
import { TextDiff } from '../kit/editor/text-diff.tsx';
import { isRecord } from '../kit/is-record.ts';
import { asText, fieldWords } from '../pages/agent/draft/field-words.ts';
import type { FieldName } from '../pages/agent/draft/merge-draft.ts';

interface AgentChangeProps {
  tool: string;
  /** As the model wrote them. */
  input: unknown;
}

type Fields = Record<string, unknown>;

const isField = (name: string): name is FieldName => name in fieldWords;

/** What a call would change of an agent, part by part, before it is allowed. */
export function AgentChange({ tool, input }: AgentChangeProps) {
  const fields: Fields = isRecord(input) ? input : {};
  const id = typeof fields['agentId'] === 'string' ? fields['agentId'] : '';
  const isNew = tool === 'agent_zoo_create_agent';
  const { data: agent, error } = useHubQuery('getAgent', { id }, { enabled: !isNew && id !== '' });
  if (error) return <ErrorNote error={error} />;
  if (!isNew && agent === undefined) return <Skeleton lines={2} />;
  const before = (field: FieldName): string => (agent === undefined ? '' : asText(agent[field]));
  const changed = Object.keys(fields)
    .filter(isField)
    .filter((field) => asText(fields[field]) !== before(field));
  return (
    <div className="grid grid-cols-1 gap-3">
      <p className="text-sm">
        {isNew ? (
          <>Creates the agent “{asText(fields['name'])}”.</>
        ) : (
          <>
            Changes “{agent?.name}”:{' '}
            {changed.map((field) => fieldWords[field].toLowerCase()).join(', ') || 'nothing'}.
          </>
        )}
      </p>
      {changed.map((field) => (
        <div key={field} className="grid grid-cols-1 gap-1">
          <p className="text-xs font-medium text-soft">{fieldWords[field]}</p>
          <TextDiff label={fieldWords[field]} before={before(field)} after={asText(fields[field])} />
        </div>
      ))}
    </div>
  );
}
