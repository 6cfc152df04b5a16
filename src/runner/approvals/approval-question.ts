import * as z from 'zod';
import type { Question } from '../../contract/question.ts';
import type { ToolCallPart } from '../../contract/run.ts';
import type { ToolDescriptor } from '../../contract/tool.ts';
import type { NewQuestion } from '../../platform/store/questions.ts';
import type { ApprovalAnswer } from '../loop/run-parts.ts';
import type { RunRequest } from '../runs/run-request.ts';

/** How a person answers a call that needs approval. */
const Answer = z.object({
  decision: z.enum(['once', 'chat', 'always', 'deny']),
  reason: z.string().optional(),
  arguments: z.record(z.string(), z.unknown()).optional(),
});

const ANSWER_SCHEMA = {
  type: 'object',
  properties: {
    decision: {
      enum: ['once', 'chat', 'always', 'deny'],
      description: 'Allow this call, all calls of the tool in this chat, or all of this agent; or deny it.',
    },
    reason: { type: 'string', description: 'Reason for denying; passed on to the model.' },
    arguments: { type: 'object', description: 'Arguments that replace those of the model.' },
  },
  required: ['decision'],
  additionalProperties: false,
};

/** The same id for the same call, so that a run that is resumed after a restart finds its answer. */
export function approvalQuestion(
  { id, workspace, agentId, chat }: RunRequest,
  call: ToolCallPart,
  tool: ToolDescriptor,
  step: number,
): NewQuestion & { id: string } {
  return {
    id: `${id}-${step}-${call.id}`,
    kind: 'approval',
    asker: { kind: 'run', id },
    workspace,
    agentId,
    title: `Allow ${agentId} to call ${tool.displayName}?`,
    details: {
      runId: id,
      chatId: chat?.id ?? null,
      step,
      toolCallId: call.id,
      tool: tool.name,
      displayName: tool.displayName,
      description: tool.description,
      annotations: tool.annotations,
      arguments: call.input,
    },
    schema: ANSWER_SCHEMA,
  };
}

/** An expired question or a malformed answer counts as a refusal. */
export function readApproval({ status, answer }: Question): ApprovalAnswer {
  if (status !== 'answered') return { decision: 'deny', reason: `The question was ${status}.` };
  const parsed = Answer.safeParse(answer);
  return parsed.success ? parsed.data : { decision: 'deny', reason: 'The answer was invalid.' };
}
