import type { SessionUpdate } from '@agentclientprotocol/sdk';
import type { RunEvent } from '../../contract/run.ts';
import { resultContent, viewToolCall } from './tool-call-view.ts';

export interface RunUpdatesOptions {
  runId: string;
  /** The folder of the session, for relative paths. */
  cwd: string;
  /** Whether the editor shows notices. */
  notices: boolean;
}

/** The events of a run as updates for the editor. Repeated pieces are sent once. */
export function createRunUpdates({
  runId,
  cwd,
  notices,
}: RunUpdatesOptions): (event: RunEvent) => SessionUpdate[] {
  let step = 0;
  /** A step or request that is repeated is a new message: updates that were sent cannot be withdrawn. */
  let attempt = 0;
  const known = new Map<string, number>();

  function piece(event: Extract<RunEvent, { type: 'text' | 'reasoning' }>): SessionUpdate[] {
    const key = `${event.type} ${event.step} ${event.part}`;
    const seen = known.get(key) ?? 0;
    const text = event.text.slice(Math.max(0, seen - event.offset));
    if (text === '') return [];
    known.set(key, event.offset + event.text.length);
    const messageId = `${runId}-${event.step}-${attempt}`;
    const sessionUpdate = event.type === 'text' ? 'agent_message_chunk' : 'agent_thought_chunk';
    return [{ sessionUpdate, messageId, content: { type: 'text', text } }];
  }

  const notice = (severity: 'info' | 'warning', title: string): SessionUpdate[] =>
    notices ? [{ sessionUpdate: 'notice', severity, title }] : [];

  const startAgain = (): void => {
    attempt += 1;
    known.clear();
  };

  return (event) => {
    switch (event.type) {
      case 'step-started':
        if (event.step === step) startAgain();
        step = event.step;
        return [];
      case 'text':
      case 'reasoning':
        return piece(event);
      case 'tool-call':
        return [
          {
            sessionUpdate: 'tool_call',
            toolCallId: event.id,
            status: 'in_progress',
            rawInput: event.arguments,
            ...viewToolCall(event.name, event.arguments, cwd),
          },
        ];
      case 'tool-progress': {
        const share = event.total === undefined ? `${event.done}` : `${event.done} of ${event.total}`;
        return [callText(event.id, event.message ?? share)];
      }
      case 'question-asked':
        return [callText(event.toolCallId, `${event.message} Answer in the inbox of Agent Zoo.`)];
      case 'tool-result':
        return [toolResult(event)];
      case 'message-joined':
        return [{ sessionUpdate: 'user_message_chunk', content: { type: 'text', text: event.text } }];
      case 'warning':
        return notice('warning', event.message);
      case 'retry':
        startAgain();
        return notice('info', event.message);
      case 'context-shortened':
        return notice('info', event.message);
      case 'run-started':
        return event.warnings.flatMap((warning) => notice('warning', warning));
      case 'approval-requested':
      case 'approval-answered':
      case 'question-settled':
      case 'usage':
      case 'error':
      case 'done':
        return [];
      default:
        return neverHappens(event);
    }
  };
}

const callText = (toolCallId: string, text: string): SessionUpdate => ({
  sessionUpdate: 'tool_call_update',
  toolCallId,
  content: [{ type: 'content', content: { type: 'text', text } }],
});

function toolResult({
  id,
  editedArguments,
  content,
  isError,
}: Extract<RunEvent, { type: 'tool-result' }>): SessionUpdate {
  return {
    sessionUpdate: 'tool_call_update',
    toolCallId: id,
    ...(editedArguments ? { rawInput: editedArguments } : {}),
    status: isError ? 'failed' : 'completed',
    content: resultContent(content),
  };
}

const neverHappens = (_event: never): SessionUpdate[] => [];
