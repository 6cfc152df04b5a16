import { withClient } from '../../hub-access/with-client.ts';
import { type Invocation, print, say } from '../../invocation.ts';
import { completeId, shortId } from '../../input/id-prefix.ts';
import { wrongUsage } from '../../output/failure.ts';
import { shortTime } from '../../render/layout.ts';
import { type Cell, renderTable } from '../../render/table.ts';
import { parseObject } from './ask-for-approval.ts';

export interface AnswerOptions {
  reason?: string;
  arguments?: string;
}

/** For approvals and permission requests of team members; other questions are accepted or declined. */
const DECISIONS = ['once', 'chat', 'always', 'allow', 'deny'];
const ACTIONS = ['accept', 'decline'];

export async function listQuestions(call: Invocation): Promise<void> {
  const answer = await withClient(call, (client) => client.call('listQuestions', {}));
  const ids = answer.questions.map(({ id }) => id);
  print(call, answer, () =>
    renderTable(
      answer.questions.map((question): Cell[] => [
        call.columns === Infinity ? question.id : shortId(question.id, ids),
        question.kind,
        shortTime(question.askedAt),
        question.title,
        JSON.stringify(question.details['arguments'] ?? null),
      ]),
      call,
      { columns: [{ keep: true }, {}, { optional: true }, { min: 16, keep: true }, { min: 8 }] },
    ).join('\n'),
  );
  if (!call.json && answer.questions.length === 0) say(call, 'No open questions.');
}

export async function answerQuestion(
  call: Invocation,
  id: string,
  decision: string | undefined,
  options: AnswerOptions,
): Promise<void> {
  if (decision === undefined || ![...DECISIONS, ...ACTIONS].includes(decision))
    throw wrongUsage(
      decision === undefined ? 'the decision is missing' : `unknown decision '${decision}'`,
      'approvals take once, chat, always or deny; team members allow or deny; other questions accept or decline',
    );
  const edited = options.arguments === undefined ? undefined : parseObject(options.arguments);
  if (edited === null) throw wrongUsage('--arguments must be a JSON object');
  const answer = ACTIONS.includes(decision)
    ? { action: decision, ...(edited ? { content: edited } : {}) }
    : {
        decision,
        ...(options.reason === undefined ? {} : { reason: options.reason }),
        ...(edited ? { arguments: edited } : {}),
      };
  const question = await withClient(call, async (client) => {
    const { questions } = await client.call('listQuestions', {});
    const ids = questions.map((each) => each.id);
    return client.call('answerQuestion', { id: completeId(id, ids, 'questions'), body: { answer } });
  });
  print(call, question, () => `Answered: ${question.title} ${decision}`);
}
