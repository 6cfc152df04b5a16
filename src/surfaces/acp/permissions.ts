import type { AgentContext, PermissionOption } from '@agentclientprotocol/sdk';
import type { CallContext } from '../../contract/call.ts';
import { ZooError } from '../../contract/errors.ts';
import type { RunEvent } from '../../contract/run.ts';
import type { Hub } from '../../hub/hub.ts';
import { viewToolCall } from './tool-call-view.ts';

type Decision = 'once' | 'chat' | 'always' | 'deny';

export interface PermissionsOptions {
  sessionId: string;
  cwd: string;
  context: CallContext;
  client: Pick<AgentContext, 'request'>;
  /** Whether the agent is stored in the hub, so that decisions can be stored with it. */
  isEditable(): Promise<boolean>;
  log(message: string, error: unknown): void;
}

export type Permissions = ReturnType<typeof createPermissions>;

/** Asks in the editor whether a tool may be called. The inbox has the same question; the first answer wins. */
export function createPermissions(hub: Pick<Hub, 'operations'>, options: PermissionsOptions) {
  const { sessionId, cwd, context, client, log } = options;
  const open = new Map<string, AbortController>();

  async function ask({
    questionId: id,
    toolCallId,
    name,
    arguments: rawInput,
  }: Extract<RunEvent, { type: 'approval-requested' }>): Promise<void> {
    const { status } = await hub.operations.getQuestion({ id }, context);
    if (status !== 'open' || open.has(id)) return;
    const asking = new AbortController();
    open.set(id, asking);
    try {
      const { outcome } = await client.request(
        'session/request_permission',
        {
          sessionId,
          toolCall: { toolCallId, status: 'pending', rawInput, ...viewToolCall(name, rawInput, cwd) },
          options: permissionOptions(await options.isEditable()),
        },
        { cancellationSignal: asking.signal, stopWaitingOnCancel: true },
      );
      const decision = outcome.outcome === 'selected' ? decisionOf(outcome.optionId) : 'deny';
      const reason = outcome.outcome === 'selected' ? {} : { reason: 'Dismissed in the editor.' };
      await hub.operations.answerQuestion({ id, body: { answer: { decision, ...reason } } }, context);
    } catch (error) {
      // Answered elsewhere, or the turn was cancelled. An open question stays in the inbox.
      const isSettled = error instanceof ZooError && error.code === 'conflict';
      if (!isSettled && !asking.signal.aborted && !context.signal.aborted) {
        log('the editor could not be asked for permission', error);
      }
    } finally {
      open.delete(id);
    }
  }

  return {
    ask(event: Extract<RunEvent, { type: 'approval-requested' }>): void {
      void ask(event).catch((error: unknown) => log('a permission request failed', error));
    },
    settled: (questionId: string): void => open.get(questionId)?.abort(),
    settleAll(): void {
      for (const asking of open.values()) asking.abort();
    },
  };
}

function permissionOptions(isEditable: boolean): PermissionOption[] {
  return [
    { optionId: 'once', name: 'Allow once', kind: 'allow_once' },
    { optionId: 'chat', name: 'Allow in this conversation', kind: 'allow_always' },
    ...(isEditable
      ? [{ optionId: 'always', name: 'Always allow for this agent', kind: 'allow_always' as const }]
      : []),
    { optionId: 'deny', name: 'Reject', kind: 'reject_once' },
  ];
}

const decisionOf = (option: string): Decision =>
  option === 'once' || option === 'chat' || option === 'always' ? option : 'deny';
