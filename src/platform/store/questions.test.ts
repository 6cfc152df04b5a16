import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { tempFolder } from '../../../test/temp-folder.ts';
import { openSqlite } from './databases/index.ts';
import { createQuestions, type NewQuestion } from './questions.ts';
import { PATIENCE } from '../../../test/patience.ts';

async function opened() {
  const folder = await tempFolder();
  const file = join(folder.path, 'zoo.db');
  const db = await openSqlite(file, { threads: false });
  const other = await openSqlite(file, { threads: false });
  let time = Date.parse('2026-01-01T00:00:00Z');
  const now = () => new Date(time);
  const close = async () => {
    await Promise.all([db.close(), other.close()]);
    await folder[Symbol.asyncDispose]();
  };
  return {
    db,
    now,
    questions: createQuestions({ db, now, pollMs: 10 }),
    elsewhere: createQuestions({ db: other, now, pollMs: 10 }),
    pass: (ms: number) => (time += ms),
    [Symbol.asyncDispose]: close,
  };
}

const approval: NewQuestion = {
  kind: 'approval',
  asker: { kind: 'run', id: 'run-1' },
  workspace: 'w',
  agentId: 'helper',
  title: 'Allow write_file?',
  details: { tool: 'write_file', arguments: { path: 'a.md' } },
};
const signal = () => new AbortController().signal;

describe('a question', () => {
  it('is listed until it is answered, with events for both', async () => {
    await using store = await opened();
    const { questions, db } = store;
    const asked = await questions.ask(approval);
    expect(await questions.list()).toEqual([asked]);
    const answered = await questions.answer(asked.id, { allow: 'once' }, 'operator');
    expect(answered).toMatchObject({ status: 'answered', answer: { allow: 'once' }, settledBy: 'operator' });
    expect(await questions.list()).toEqual([]);
    expect(await questions.list({ status: 'answered' })).toEqual([answered]);
    const events = await db.all('SELECT type, agent_id, data FROM events ORDER BY seq');
    expect(events.map(({ type }) => type)).toEqual(['question-asked', 'question-settled']);
    expect(JSON.stringify(events)).not.toContain('once');
  });

  it('takes the first answer; a later one is a conflict', async () => {
    await using store = await opened();
    const { id } = await store.questions.ask(approval);
    const answers = await Promise.allSettled([
      store.questions.answer(id, { allow: 'once' }, 'operator'),
      store.elsewhere.answer(id, { allow: 'never' }, 'operator'),
    ]);
    const refused = answers.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
    expect(refused).toMatchObject([{ code: 'conflict' }]);
    await expect(store.questions.answer(id, {}, 'operator')).rejects.toMatchObject({ code: 'conflict' });
    await expect(store.questions.answer('none', {}, 'operator')).rejects.toMatchObject({
      code: 'question_not_found',
    });
  });

  it('is not asked twice after a restart', async () => {
    await using store = await opened();
    const first = await store.questions.ask({ ...approval, id: 'run-1:call-3' });
    await store.questions.answer(first.id, { allow: 'once' }, 'operator');
    const again = await store.elsewhere.ask({ ...approval, id: 'run-1:call-3' });
    expect(again).toMatchObject({ status: 'answered', answer: { allow: 'once' } });
  });

  it('expires, and can then no longer be answered', async () => {
    await using store = await opened();
    const { questions, pass, now } = store;
    const expiresAt = new Date(now().getTime() + 1000);
    const { id } = await questions.ask({ ...approval, expiresAt });
    expect(await questions.expire()).toEqual([]);
    pass(1000);
    await expect(questions.answer(id, {}, 'operator')).rejects.toThrow('expired');
    expect(await questions.expire()).toMatchObject([{ id, status: 'expired' }]);
    pass(31 * 24 * 60 * 60 * 1000);
    await questions.expire();
    await expect(questions.get(id)).rejects.toMatchObject({ code: 'question_not_found' });
  });

  it('is withdrawn with its asker', async () => {
    await using store = await opened();
    const { questions } = store;
    await questions.ask(approval);
    const other = await questions.ask({ ...approval, asker: { kind: 'run', id: 'run-2' } });
    expect(await questions.withdraw(approval.asker)).toBe(1);
    expect(await questions.list()).toEqual([other]);
  });

  it('wakes its asker when any process answers it', async () => {
    await using store = await opened();
    const { questions, elsewhere } = store;
    const [here, there] = await Promise.all([questions.ask(approval), questions.ask(approval)]);
    const settled = Promise.all([here, there].map(({ id }) => questions.settled(id, signal())));
    await questions.answer(here.id, { a: 1 }, 'operator');
    await elsewhere.answer(there.id, { b: 2 }, 'operator');
    expect((await settled).map(({ answer }) => answer)).toEqual([{ a: 1 }, { b: 2 }]);
    const stop = new AbortController();
    const { id } = await questions.ask(approval);
    const waiting = questions.settled(id, stop.signal);
    stop.abort();
    await expect(waiting).rejects.toThrow('Stopped waiting');
    await vi.waitFor(async () => expect(await questions.list()).toHaveLength(1), PATIENCE);
  });
});
