import {
  Role,
  TaskState,
  type Artifact,
  type Message,
  type Part,
  type Task,
  type TaskStatus,
} from '@a2a-js/sdk';
import { ContentTypeNotSupportedError, RequestMalformedError } from '@a2a-js/sdk/errors';
import type { Run, RunState, UserPart } from '../../contract/run.ts';
import { formOf, type TaskQuestion } from './question.ts';

/** An interrupted run counts as failed for its caller: only the operator can resume it. */
const STATES: Record<RunState, TaskState> = {
  queued: TaskState.TASK_STATE_SUBMITTED,
  running: TaskState.TASK_STATE_WORKING,
  // Before its question is known, and after it is answered.
  waiting: TaskState.TASK_STATE_WORKING,
  completed: TaskState.TASK_STATE_COMPLETED,
  failed: TaskState.TASK_STATE_FAILED,
  cancelled: TaskState.TASK_STATE_CANCELED,
  interrupted: TaskState.TASK_STATE_FAILED,
};

/** A refusal by the model rejects the task. */
export const stateOf = ({ state, endReason }: Pick<Run, 'state' | 'endReason'>): TaskState =>
  endReason === 'refusal' ? TaskState.TASK_STATE_REJECTED : STATES[state];

export const isOver = (state: RunState): boolean =>
  state !== 'queued' && state !== 'running' && state !== 'waiting';

/** The states of runs that can be this state of a task; empty if there are none. */
export function runStates(state: TaskState): RunState[] {
  if (state === TaskState.TASK_STATE_INPUT_REQUIRED || state === TaskState.TASK_STATE_AUTH_REQUIRED)
    return ['waiting'];
  if (state === TaskState.TASK_STATE_REJECTED) return ['failed'];
  const all = ['queued', 'running', 'waiting', 'completed', 'failed', 'cancelled', 'interrupted'] as const;
  return all.filter((each) => STATES[each] === state);
}

type TaskRun = Pick<
  Run,
  'id' | 'state' | 'endReason' | 'chatId' | 'input' | 'text' | 'error' | 'createdAt' | 'endedAt'
>;

export interface TaskParts {
  historyLength?: number | undefined;
  artifacts?: boolean | undefined;
  /** The question that the run waits for. */
  question?: TaskQuestion | null;
}

export function checkHistoryLength(length: number | undefined): void {
  if (length !== undefined && length < 0)
    throw new RequestMalformedError('historyLength must not be negative');
}

/** The context of a task is the chat of its run. */
export function taskOf(run: TaskRun, { historyLength, artifacts = true, question }: TaskParts = {}): Task {
  const { id, state, text } = run;
  const contextId = contextOf(run);
  return {
    id,
    contextId,
    status: statusOf(run, question),
    artifacts: artifacts && text !== '' && isOver(state) ? [answerArtifact(text)] : [],
    history: lastOf([messageOf(run, contextId)], historyLength),
    metadata: undefined,
  };
}

export const contextOf = ({ id, chatId }: Pick<Run, 'id' | 'chatId'>): string => chatId ?? id;

export function statusOf(
  run: Omit<TaskRun, 'input' | 'text'>,
  question: TaskQuestion | null = null,
): TaskStatus {
  const { id, state, error, createdAt, endedAt } = run;
  if (question && !isOver(state)) {
    const waits =
      question.kind === 'login' ? TaskState.TASK_STATE_AUTH_REQUIRED : TaskState.TASK_STATE_INPUT_REQUIRED;
    return { state: waits, message: questionMessage(question, run), timestamp: createdAt };
  }
  const message = error ? agentMessage(error.message, id, contextOf(run)) : undefined;
  return { state: stateOf(run), message, timestamp: endedAt ?? createdAt };
}

export const answerArtifact = (text: string): Artifact => ({
  artifactId: 'answer',
  name: 'Answer',
  description: '',
  parts: [textPart(text)],
  metadata: undefined,
  extensions: [],
});

/** The text of the question, and the schema of the answer if it is a form. */
function questionMessage(question: TaskQuestion, run: Pick<Run, 'id' | 'chatId'>): Message {
  const form = formOf(question);
  const { url } = question.details;
  const page = typeof url === 'string' ? ` ${url}` : '';
  const asked = agentMessage(`${question.title}${page}`, run.id, contextOf(run));
  const schema: Part[] = form ? [dataPart({ requestedSchema: form })] : [];
  return { ...asked, messageId: question.id, parts: [...asked.parts, ...schema] };
}

function agentMessage(text: string, taskId: string, contextId: string): Message {
  return {
    messageId: `${taskId}-status`,
    contextId,
    taskId,
    role: Role.ROLE_AGENT,
    parts: [textPart(text)],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  };
}

function messageOf({ id, input }: Pick<TaskRun, 'id' | 'input'>, contextId: string): Message {
  return {
    messageId: `${id}-message`,
    contextId,
    taskId: id,
    role: Role.ROLE_USER,
    parts: input.map((part) => (part.type === 'text' ? textPart(part.text) : filePart(part))),
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  };
}

const lastOf = <T>(items: T[], count: number | undefined): T[] =>
  count === undefined ? items : count === 0 ? [] : items.slice(-count);

const textPart = (text: string): Part => ({
  content: { $case: 'text', value: text },
  metadata: undefined,
  filename: '',
  mediaType: 'text/plain',
});

const dataPart = (value: unknown): Part => ({
  content: { $case: 'data', value },
  metadata: undefined,
  filename: '',
  mediaType: 'application/json',
});

const filePart = ({ data, mediaType, name = '' }: Extract<UserPart, { type: 'file' }>): Part => ({
  content: { $case: 'raw', value: Buffer.from(data, 'base64') },
  metadata: undefined,
  filename: name,
  mediaType,
});

/** A message as input of the runner. URLs are not fetched: callers must not make the hub send requests. */
export function userParts(message: Message | undefined): UserPart[] {
  if (!message) throw new RequestMalformedError('message is required');
  if (message.messageId === '') throw new RequestMalformedError('message.messageId is required');
  if (message.role !== Role.ROLE_USER) throw new RequestMalformedError('message.role must be ROLE_USER');
  const parts = message.parts.map(userPart);
  if (parts.every((part) => part.type === 'text' && part.text === ''))
    throw new RequestMalformedError('message.parts must not be empty');
  return parts;
}

function userPart({ content, mediaType, filename }: Part): UserPart {
  switch (content?.$case) {
    case 'text':
      return { type: 'text', text: content.value };
    case 'data':
      return { type: 'text', text: JSON.stringify(content.value) };
    case 'raw': {
      if (/^text\/|^application\/(?:[\w.+-]+\+)?json$/.test(mediaType))
        return { type: 'text', text: content.value.toString('utf8') };
      const name = filename === '' ? {} : { name: filename };
      return { type: 'file', mediaType, data: content.value.toString('base64'), ...name };
    }
    case 'url':
      throw new ContentTypeNotSupportedError('Parts with a URL are not supported. Send the content instead.');
    case undefined:
    default:
      throw new RequestMalformedError('A part needs one of text, raw and data.');
  }
}
