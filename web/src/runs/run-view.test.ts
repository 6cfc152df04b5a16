import { describe, expect, it } from 'vitest';
import { NO_USAGE, type RunEvent } from '../../../src/contract/run.ts';
import { addRunEvent, NEW_RUN, type RunView } from './run-view.ts';

const play = (events: readonly RunEvent[], from: RunView = NEW_RUN): RunView =>
  events.reduce(addRunEvent, from);

const text = (offset: number, said: string, part = 0): RunEvent => ({
  type: 'text',
  step: 1,
  part,
  offset,
  text: said,
});
const asked: readonly RunEvent[] = [
  { type: 'step-started', step: 1 },
  { type: 'tool-call', step: 1, id: 'c1', name: 'send_mail', arguments: { to: 'Ada' } },
  {
    type: 'approval-requested',
    step: 1,
    questionId: 'q1',
    toolCallId: 'c1',
    name: 'send_mail',
    arguments: { to: 'Ada' },
  },
];

describe('the view of a run', () => {
  it('joins pieces of text, also when one comes twice', () => {
    const run = play([
      { type: 'step-started', step: 1 },
      text(0, 'Hel'),
      text(3, 'lo'),
      text(0, 'Hello'),
      text(5, '.'),
    ]);
    expect(run.steps[0]?.items).toEqual([{ kind: 'text', part: 0, text: 'Hello.' }]);
  });

  it('says of a failed request when it is repeated, and drops what had arrived', () => {
    const run = play([
      { type: 'step-started', step: 1 },
      text(0, 'Half'),
      { type: 'retry', step: 1, message: 'Anthropic failed (500).', afterMs: 1_500 },
      { type: 'retry', step: 1, message: 'Anthropic failed (500). Continuing with b/c.', afterMs: 0 },
    ]);
    expect(run.steps[0]?.items).toEqual([
      { kind: 'note', tone: 'warning', text: 'Anthropic failed (500). Retry after 2 s.' },
      { kind: 'note', tone: 'warning', text: 'Anthropic failed (500). Continuing with b/c.' },
    ]);
  });

  it('forgets a step that starts again', () => {
    const run = play([{ type: 'step-started', step: 1 }, text(0, 'Half'), { type: 'step-started', step: 1 }]);
    expect(run.steps).toEqual([{ step: 1, items: [], usage: null }]);
  });

  it('waits for an approval, and keeps the decision beside the call', () => {
    const waiting = play(asked);
    expect(waiting.state).toBe('waiting');
    const denied = play(
      [
        {
          type: 'approval-answered',
          questionId: 'q1',
          toolCallId: 'c1',
          decision: 'deny',
          reason: 'Not her.',
        },
        {
          type: 'tool-result',
          step: 1,
          id: 'c1',
          name: 'send_mail',
          content: [{ type: 'text', text: 'DENIED' }],
          isError: true,
          durationMs: 2,
        },
        { type: 'done', state: 'completed', text: '', steps: 1, usage: NO_USAGE },
      ],
      waiting,
    );
    expect(denied.state).toBe('completed');
    expect(denied.steps[0]?.items[0]).toMatchObject({
      approval: { decision: 'deny', reason: 'Not her.' },
      result: { isError: true },
    });
  });

  it('is the same when its events arrive a second time', () => {
    const once = play([...asked, text(0, 'Done')]);
    expect(play([...asked.slice(1), text(0, 'Done')], once)).toEqual(once);
  });
});
