import type { StreamResponse, TaskArtifactUpdateEvent } from '@a2a-js/sdk';
import type { CallContext } from '../../contract/call.ts';
import type { Run, RunEvent } from '../../contract/run.ts';
import type { Hub } from '../../hub/hub.ts';
import { isOpen, questionOf, type TaskQuestion } from './question.ts';
import { answerArtifact, contextOf, isOver, statusOf, taskOf } from './task.ts';

/**
 * A run as a stream of the protocol: the task, pieces of its answer, and its states. It ends with the run, or when the
 * run waits for its caller.
 */
export async function* followTask(
  hub: Pick<Hub, 'operations'>,
  runId: string,
  context: CallContext,
): AsyncGenerator<StreamResponse, void, undefined> {
  const run = await hub.operations.getRun({ id: runId }, context);
  const task = taskOf(run, { artifacts: false, question: await questionOf(hub, run, context) });
  yield { payload: { $case: 'task', value: task } };
  const answer = createAnswer(run);
  for await (const { event } of hub.operations.followRun({ id: runId }, context)) {
    if (event.type === 'run-started') yield statusUpdate({ ...run, state: 'running' });
    const update = answer.add(event);
    if (update) yield { payload: { $case: 'artifactUpdate', value: update } };
    if (event.type === 'question-asked' && (await isOpen(hub, event.questionId, context))) {
      const waiting = await hub.operations.getRun({ id: runId }, context);
      const question = await questionOf(hub, waiting, context);
      if (question) {
        yield statusUpdate(waiting, question);
        return;
      }
    }
    if (event.type === 'done') break;
  }
  const last = await hub.operations.getRun({ id: runId }, context);
  if (isOver(last.state)) yield statusUpdate(last);
}

export function statusUpdate(run: Run, question: TaskQuestion | null = null): StreamResponse {
  const status = statusOf(run, question);
  const value = { taskId: run.id, contextId: contextOf(run), status, metadata: undefined };
  return { payload: { $case: 'statusUpdate', value } };
}

/**
 * The answer so far. Text before a tool call is replaced by that of the next step, since only the last step is the
 * result.
 */
function createAnswer(run: Pick<Run, 'id' | 'chatId'>) {
  let step = 0;
  let text = '';
  const parts = new Map<number, number>();
  const update = (piece: string, append: boolean, lastChunk = false): TaskArtifactUpdateEvent => ({
    taskId: run.id,
    contextId: contextOf(run),
    artifact: answerArtifact(piece),
    append,
    lastChunk,
    metadata: undefined,
  });
  return {
    add(event: RunEvent): TaskArtifactUpdateEvent | null {
      // The text of this step is void, and the next one replaces it.
      if (event.type === 'retry') step = 0;
      if (event.type === 'text') {
        const isNew = event.step !== step;
        if (isNew) {
          step = event.step;
          text = '';
          parts.clear();
        }
        // A delta may be repeated, or overlap with an earlier one.
        const known = parts.get(event.part) ?? 0;
        const piece = event.text.slice(Math.max(0, known - event.offset));
        if (piece === '') return null;
        parts.set(event.part, event.offset + event.text.length);
        const first = text === '';
        text += piece;
        return update(piece, !first);
      }
      if (event.type !== 'done' || (text === '' && event.text === '')) return null;
      return event.text === text ? update('', true, true) : update(event.text, false, true);
    },
  };
}
