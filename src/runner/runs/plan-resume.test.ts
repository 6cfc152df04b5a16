import { describe, expect, it } from 'vitest';
import { NO_USAGE } from '../../contract/run.ts';
import { planResume } from './plan-resume.ts';
import type { StoredStep } from './run-rows.ts';

const call = (id: string) => ({ type: 'tool-call' as const, id, name: 'send', input: {} });
const result = (id: string) => ({
  type: 'tool-result' as const,
  id,
  name: 'send',
  content: [],
  isError: false,
});
const step = (number: number, more: Partial<StoredStep>): StoredStep => ({
  step: number,
  model: 'fake/one',
  joined: [],
  answer: null,
  results: [],
  open: [],
  usage: { ...NO_USAGE, inputTokens: 10 },
  startedAt: '',
  durationMs: 0,
  ...more,
});
const asking = {
  role: 'assistant' as const,
  parts: [{ type: 'text' as const, text: 'One moment.' }, call('a'), call('b')],
};

describe('a run that was cut off', () => {
  it('before its first answer starts again', () => {
    expect(planResume([step(1, {})])).toMatchObject({ messages: [], step: 0, openCalls: [], doubtful: [] });
  });

  it('after a message joined keeps that message', () => {
    const joined = [{ role: 'user' as const, parts: [{ type: 'text' as const, text: 'Hurry.' }] }];
    expect(planResume([step(1, { joined })])).toMatchObject({ messages: [], joined, step: 0 });
    const answered = step(1, { answer: asking, results: [result('a'), result('b')] });
    const plan = planResume([answered, step(2, { joined })]);
    expect(plan.messages.map(({ role }) => role)).toEqual(['assistant', 'tool']);
    expect(plan).toMatchObject({ joined, isAnswered: false });
  });

  it('keeps a message once that joined the step in which the history was shortened', () => {
    const said = (text: string) => ({ role: 'user' as const, parts: [{ type: 'text' as const, text }] });
    const answered = step(1, { answer: { role: 'assistant', parts: [{ type: 'text', text: 'Yes.' }] } });
    const shortened = { step: 2, messages: [said('[Summary]'), said('Hurry.')] };
    const before = planResume([answered, step(2, { joined: [said('Hurry.')] })], shortened);
    expect(before).toMatchObject({ messages: [], joined: [], isAnswered: false });
    const after = planResume([answered, step(2, { joined: [said('Hurry.')], answer: asking })], shortened);
    expect(after.messages).toEqual([asking]);
    // One that joined after a restart is not in it.
    const late = step(2, { joined: [said('Hurry.'), said('Faster.')] });
    expect(planResume([answered, late], shortened).joined).toEqual([said('Faster.')]);
  });

  it('after its last answer has nothing left to do', () => {
    const answer = { role: 'assistant' as const, parts: [{ type: 'text' as const, text: 'Done.' }] };
    expect(planResume([step(1, { answer })])).toMatchObject({ isAnswered: true, text: 'Done.' });
  });

  it('between two steps continues with the next one', () => {
    const plan = planResume([step(1, { answer: asking, results: [result('a'), result('b')] })]);
    expect(plan).toMatchObject({ step: 1, openCalls: [], results: [], doubtful: [], text: 'One moment.' });
    expect(plan.messages.map(({ role }) => role)).toEqual(['assistant', 'tool']);
    expect(plan.usage.inputTokens).toBe(10);
  });

  it('before a call was started makes that call, and keeps the results it has', () => {
    const plan = planResume([step(1, { answer: asking, results: [result('a')] })]);
    expect(plan).toMatchObject({ openCalls: [{ id: 'b' }], results: [{ id: 'a' }], doubtful: [] });
    expect(plan.messages.map(({ role }) => role)).toEqual(['assistant']);
  });

  it('during a call that only reads makes it again', () => {
    const open = [{ id: 'a', repeatable: true }];
    expect(planResume([step(1, { answer: asking, results: [result('b')], open })])).toMatchObject({
      openCalls: [{ id: 'a' }],
      doubtful: [],
    });
  });

  it('during a call that changes something leaves that to a person', () => {
    const open = [{ id: 'a', repeatable: false }];
    expect(planResume([step(1, { answer: asking, results: [result('b')], open })])).toMatchObject({
      openCalls: [],
      doubtful: [{ id: 'a' }],
    });
  });
});
