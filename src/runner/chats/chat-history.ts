import type { AssistantPart, ModelMessage, ToolResultPart } from '../../contract/run.ts';
import { planResume } from '../runs/plan-resume.ts';
import type { StoredRun } from '../runs/run-store.ts';

/** Earlier turns as messages for the model. */
export interface ChatHistory {
  messages: ModelMessage[];
  /** Whether a summary stands for the beginning, so that the agent's opening messages are in it. */
  isShortened: boolean;
}

/**
 * Pure: from the runs of a branch, oldest first, to messages. A turn that was cut off is completed, since providers
 * refuse a call without its result. Reasoning and opaque provider data are only sent within their own run.
 */
export function historyOf(runs: readonly StoredRun[]): ChatHistory {
  const from = runs.findLastIndex(({ shortened }) => shortened !== null);
  const messages = runs.slice(Math.max(0, from)).flatMap((run) => messagesOfRun(run));
  return { messages: messages.flatMap(plain), isShortened: from >= 0 };
}

function messagesOfRun({ request, steps, shortened, summary, text }: StoredRun): ModelMessage[] {
  const plan = planResume(steps, shortened);
  const unfinished = [...plan.openCalls, ...plan.doubtful];
  const results = [...plan.results, ...unfinished.map((call) => notMade(call.id, call.name))];
  // The partial text of a cancelled answer.
  const partial = summary.state !== 'completed' && text !== '' && text !== plan.text;
  return [
    ...(plan.shortened ?? [{ role: 'user' as const, parts: request.input }]),
    ...plan.messages,
    ...(results.length > 0 ? [{ role: 'tool' as const, parts: results }] : []),
    ...plan.joined,
    ...(partial ? [{ role: 'assistant' as const, parts: [{ type: 'text' as const, text }] }] : []),
  ];
}

function notMade(id: string, name: string): ToolResultPart {
  const text = 'CANCELLED: The turn ended before this call had a result.';
  return { type: 'tool-result', id, name, content: [{ type: 'text', text }], isError: true };
}

function plain(message: ModelMessage): ModelMessage[] {
  if (message.role !== 'assistant') return [message];
  const parts = message.parts.flatMap((part): AssistantPart[] => {
    if (part.type === 'reasoning') return [];
    if (part.type === 'file') return [part];
    const { provider: _, ...rest } = part;
    return [rest];
  });
  return parts.length > 0 ? [{ role: 'assistant', parts }] : [];
}
