import type { CallContext } from '../../contract/call.ts';
import { type ClientAnswer, type ClientQuestion, silentCall, type ToolCall } from '../../contract/tool.ts';
import type { Questions } from '../../platform/store/questions.ts';

const ANSWER_WITHIN_MS = 10 * 60_000;

/**
 * A call whose questions to a person go to the inbox, under an id that the caller chose. Only the operator can answer
 * them, so other callers have nobody to ask.
 */
export function askingCall(context: CallContext, inbox: Questions, askAs: string | undefined): ToolCall {
  if (askAs === undefined || context.caller.kind !== 'operator') return silentCall(context);
  return callThatAsks(context, async ({ message, ...params }) => {
    const { id } = await inbox.ask({
      kind: 'elicitation',
      asker: { kind: 'call', id: askAs },
      workspace: context.workspace,
      agentId: context.agent,
      title: elicitationTitle(message),
      details: { message, ...params },
      expiresAt: new Date(Date.now() + ANSWER_WITHIN_MS),
    });
    return (await inbox.settled(id, context.signal)).answer;
  });
}

export const elicitationTitle = (message: unknown): string =>
  typeof message === 'string' ? message : 'A tool asks for input.';

/** A call whose elicitations are answered by `elicit`; other questions have no answer. */
export function callThatAsks(
  context: CallContext,
  elicit: (params: ClientQuestion['params']) => Promise<ClientAnswer | null>,
): ToolCall {
  const answerTo = ({ method, params }: ClientQuestion) =>
    method === 'elicitation/create' ? elicit(params) : Promise.resolve(null);
  return {
    ...silentCall(context),
    async elicit(message, requestedSchema) {
      const answer = await elicit({ message, requestedSchema });
      const { action, content } = answer ?? {};
      return action === 'accept' && typeof content === 'object' ? { ...content } : null;
    },
    ask: async (questions) =>
      Object.fromEntries(
        await Promise.all(
          Object.entries(questions).map(
            async ([name, question]) => [name, await answerTo(question)] as const,
          ),
        ),
      ),
  };
}
