import type { AgentCard } from '@a2a-js/sdk';
import { ZooError } from '../../contract/errors.ts';
import type { Tool, ToolCall, ToolResult } from '../../contract/tool.ts';
import { toolNames } from '../catalogue/tool-names.ts';
import { needsMore, type RemoteAgent } from './remote-agent.ts';
import type { MessagePlace } from './text-message.ts';

/** A remote agent may do anything. */
const CAUTIOUS = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true };
/** How many characters of an answer are shown as progress. */
const MOST_PROGRESS = 200;
const MOST_ANSWER = 1_000_000;

const INPUT = {
  type: 'object',
  properties: {
    message: { type: 'string', description: 'What the agent should do.', minLength: 1 },
    contextId: { type: 'string', description: 'From an earlier answer, to continue that conversation.' },
    taskId: { type: 'string', description: 'From an input-required answer, to reply to its question.' },
  },
  required: ['message'],
  additionalProperties: false,
};

/** One tool for each skill on the card of a remote agent. */
export function agentTools(server: string, agent: RemoteAgent): Tool[] {
  return agent.card.skills.map((skill) => ({
    descriptor: {
      ...toolNames(server, skill.id),
      title: skill.name,
      description: describe(agent.card, skill),
      origin: 'upstream',
      inputSchema: INPUT,
      annotations: CAUTIOUS,
      undeclared: true,
    },
    execute: ({ message, contextId, taskId }, call) =>
      callSkill(
        agent,
        String(message),
        { skill: skill.id, contextId: textOrNone(contextId), taskId: textOrNone(taskId) },
        call,
      ),
  }));
}

const textOrNone = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

function describe({ name }: AgentCard, skill: AgentCard['skills'][number]): string {
  const examples = skill.examples.length === 0 ? '' : `\nExamples: ${skill.examples.join('; ')}`;
  return `${skill.description}\nAnswered by the agent ${name}.${examples}`;
}

/** Pieces of the answer are progress; a call that is cancelled cancels its task. */
async function callSkill(
  agent: RemoteAgent,
  text: string,
  said: MessagePlace,
  { context: { signal }, progress }: ToolCall,
): Promise<ToolResult> {
  let task = { taskId: '', contextId: said.contextId ?? '' };
  let answer = '';
  let last = { state: 'unknown', message: '' };
  let pieces = 0;
  const cancel = (): void => {
    if (task.taskId !== '') void agent.cancel(task.taskId).catch(() => undefined);
  };
  signal.addEventListener('abort', cancel, { once: true });
  try {
    for await (const event of agent.send(text, { ...said, signal })) {
      if (event.type === 'task') task = event;
      if (event.type === 'state') last = event;
      if (event.type !== 'text') continue;
      answer = `${event.replaces ? '' : answer}${event.text}`.slice(0, MOST_ANSWER);
      if (event.text !== '') progress((pieces += 1), undefined, answer.slice(-MOST_PROGRESS));
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    cancel();
    throw new ZooError('tool_error', 'The call was cancelled.');
  } finally {
    signal.removeEventListener('abort', cancel);
  }
  return toResult(answer, last, task);
}

function toResult(
  answer: string,
  { state, message }: { state: string; message: string },
  { taskId, contextId }: { taskId: string; contextId: string },
): ToolResult {
  const isDone = state === 'completed';
  const why = message === '' ? '' : `: ${message}`;
  const note = isDone ? '' : `The task is ${state}${why}`;
  // Most models see the text only.
  const ids = needsMore(state) ? `taskId: ${taskId}` : `contextId: ${contextId}`;
  return {
    content: [
      { type: 'text', text: [answer, note].filter((part) => part !== '').join('\n\n') },
      { type: 'text', text: ids },
    ],
    structuredContent: { answer, state, taskId, contextId },
    isError: !isDone && !needsMore(state),
  };
}
