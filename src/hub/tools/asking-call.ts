import type { CallContext } from '../../contract/call.ts';
import { type ClientAnswer, type ClientQuestion, silentCall, type ToolCall } from '../../contract/tool.ts';
import type { Questions } from '../../platform/store/questions.ts';

const ANSWER_WITHIN_MS = 10 * 60_000;

/**
 * A call whose questions to a person go to the inbox, under an id that the caller chose. Only the operator can answer
 * them, so other callers have nobody to ask.
 */
export function askingCall(context: CallContext, inbox: Questions, askAs: string | undefined): ToolCall {
  const silent = silentCall(context);
  if (askAs === undefined || context.caller.kind !== 'operator') return silent;
  const ask = async (question: ClientQuestion): Promise<ClientAnswer | null> => {
    if (question.method !== 'elicitation/create') return null;
    const { message } = question.params;
    const { id } = await inbox.ask({
      kind: 'elicitation',
      asker: { kind: 'call', id: askAs },
      workspace: context.workspace,
      agentId: context.agent,
      title: typeof message === 'string' ? message : 'A tool asks for input.',
      details: question.params,
      expiresAt: new Date(Date.now() + ANSWER_WITHIN_MS),
    });
    return (await inbox.settled(id, context.signal)).answer;
  };
  return {
    ...silent,
    async elicit(message, requestedSchema) {
      const params = { message, requestedSchema };
      const answer = await ask({ method: 'elicitation/create', params });
      const { action, content } = answer ?? {};
      return action === 'accept' && typeof content === 'object' ? { ...content } : null;
    },
    ask: async (questions) =>
      Object.fromEntries(
        await Promise.all(
          Object.entries(questions).map(async ([name, question]) => [name, await ask(question)] as const),
        ),
      ),
  };
}
