import type { Agent } from '../../contract/agent.ts';
import type { CallContext } from '../../contract/call.ts';
import { ZooError } from '../../contract/errors.ts';
import type { Question } from '../../contract/question.ts';
import type { RunEvent } from '../../contract/run.ts';
import type { ToolDescriptor } from '../../contract/tool.ts';
import type { Lease } from '../../platform/store/leases.ts';
import type { ApprovalAnswer, RunTools } from '../loop/run-parts.ts';
import { definitionPlace } from '../permissions.ts';
import type { RunnerOptions } from '../runner-options.ts';
import type { RunRequest } from '../runs/run-request.ts';
import type { RunWaits } from './run-waits.ts';
import { approvalQuestion, readApproval } from './approval-question.ts';

export interface AskApprovalParts {
  options: Pick<RunnerOptions, 'questions' | 'store' | 'chatApprovals' | 'allowAlways'>;
  waits: RunWaits;
  agent: Agent;
  request: RunRequest;
  lease: Lease;
  context: CallContext;
  emit(event: RunEvent): void;
  /** Tools that need no further approval in this run. */
  allowed: Set<string>;
}

/** Puts a call into the inbox and waits for the answer, without a timeout and from any process. */
export function createAskApproval(parts: AskApprovalParts): RunTools['ask'] {
  const { options, request, waits, context, emit } = parts;
  const { questions } = options;

  return async (call, tool, step) => {
    const question = await questions.ask(approvalQuestion(request, call, tool, step));
    const end = await waits.begin();
    emit({
      type: 'approval-requested',
      step,
      questionId: question.id,
      toolCallId: call.id,
      name: tool.name,
      arguments: call.input,
    });
    try {
      const settled = await questions.settled(question.id, context.signal);
      const answer = readApproval(settled);
      const { reason } = answer;
      const { decision, warning } = await remember(answer, tool, parts);
      emit({
        type: 'approval-answered',
        questionId: question.id,
        toolCallId: call.id,
        decision,
        ...(reason === undefined ? {} : { reason }),
      });
      if (warning !== undefined) emit({ type: 'warning', message: warning });
      if (decision === 'chat' || decision === 'always') await allowOthers(settled, tool, parts);
      return answer;
    } finally {
      await end();
    }
  };
}

/** Calls of the same tool that were made at the same time need no further answer. */
async function allowOthers(
  { asker, settledBy }: Question,
  { name }: ToolDescriptor,
  { options: { questions } }: AskApprovalParts,
): Promise<void> {
  for (const { id, details } of await questions.list({ kind: 'approval', asker })) {
    if (details['tool'] !== name) continue;
    try {
      await questions.answer(id, { decision: 'once' }, settledBy ?? '');
    } catch (error) {
      // Somebody has just answered it.
      if (!(error instanceof ZooError) || error.code !== 'conflict') throw error;
    }
  }
}

interface Remembered {
  /** `chat` for an `always` that could not be written to the agent. */
  decision: ApprovalAnswer['decision'];
  warning?: string;
}

async function remember(
  { decision }: ApprovalAnswer,
  { name, displayName }: ToolDescriptor,
  { options, agent, request, lease, context, allowed }: AskApprovalParts,
): Promise<Remembered> {
  if (decision === 'once' || decision === 'deny') return { decision };
  allowed.add(name);
  if (request.chat) await options.chatApprovals.allow(request.chat.id, name, definitionPlace(agent));
  else await options.store.allowTool(lease, name);
  if (decision === 'chat') return { decision };
  try {
    await options.allowAlways(request.agentId, displayName, context);
    return { decision };
  } catch (error) {
    if (!(error instanceof ZooError)) throw error;
    const extent = request.chat ? 'chat' : 'run';
    return {
      decision: 'chat',
      warning: `${displayName} is allowed for this ${extent} only. ${error.message}`,
    };
  }
}
