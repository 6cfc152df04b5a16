import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { ZooError } from '../../contract/errors.ts';
import { Question, type QuestionKind, type QuestionStatus } from '../../contract/question.ts';
import { asError } from '../text/error-message.ts';
import type { Database, Reader, Row, Transaction } from './database.ts';
import { recordEvent } from './events.ts';
import { readStored } from './stored-json.ts';

/** Settled questions are kept this long. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;
const LIMIT = 200;

export type NewQuestion = Pick<Question, 'kind' | 'asker' | 'workspace' | 'agentId' | 'title' | 'details'> & {
  /** Set by an asker that may repeat a question after a restart: it then gets the existing one. */
  id?: string;
  schema?: Question['schema'];
  expiresAt?: Date | null;
};

export interface QuestionFilter {
  status?: QuestionStatus | undefined;
  kind?: QuestionKind | undefined;
  asker?: Question['asker'] | undefined;
  limit?: number | undefined;
}

/** The inbox: everything that waits for a person, stored so that it survives a restart. */
export interface Questions {
  ask(question: NewQuestion): Promise<Question>;
  get(id: string): Promise<Question>;
  /** Open ones unless the filter says otherwise, oldest first. */
  list(filter?: QuestionFilter): Promise<Question[]>;
  /** The first answer wins: throws `conflict` once the question is settled. */
  answer(id: string, answer: Record<string, unknown>, by: string): Promise<Question>;
  /** Settles the open questions of an asker that no longer waits, of these kinds or all; returns how many. */
  withdraw(asker: Question['asker'], kinds?: readonly QuestionKind[]): Promise<number>;
  /** Settles expired questions and removes old ones; returns the expired ones. */
  expire(): Promise<Question[]>;
  /** Resolves with the question once any process has settled it. Rejects when the signal aborts. */
  settled(id: string, signal: AbortSignal): Promise<Question>;
}

export interface QuestionsOptions {
  db: Database;
  now: () => Date;
  /** How often `settled` polls for answers from other processes. */
  pollMs?: number;
}

export function createQuestions({ db, now, pollMs = 1000 }: QuestionsOptions): Questions {
  const waiting = new Set<() => void>();
  const wake = (): void => {
    for (const look of waiting) look();
  };
  const write = async <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => {
    const value = await db.transaction(work);
    wake();
    return value;
  };

  return {
    ask: (question) => write((tx) => askQuestion(tx, question, now())),
    get: (id) => findQuestion(db, id),

    async list({ status = 'open', kind, asker, limit = LIMIT } = {}) {
      const columns = { status, kind, asker_kind: asker?.kind, asker_id: asker?.id };
      const given = Object.entries(columns).flatMap(([column, value]) =>
        value === undefined ? [] : [[column, value] as const],
      );
      const where = given.map(([column]) => `${column} = ?`).join(' AND ');
      const rows = await db.all(`SELECT * FROM questions WHERE ${where} ORDER BY asked_at, id LIMIT ?`, [
        ...given.map(([, value]) => value),
        limit,
      ]);
      return rows.map(toQuestion);
    },

    answer: (id, answer, by) =>
      write(async (tx) => {
        const question = await findQuestion(tx, id);
        const at = now();
        const isLate = question.expiresAt !== null && Date.parse(question.expiresAt) <= at.getTime();
        if (question.status !== 'open' || isLate) throw alreadySettled(question, isLate);
        return settle(tx, question, { status: 'answered', answer, by, at });
      }),

    withdraw: ({ kind, id }, kinds) =>
      write(async (tx) => {
        const rows = await tx.all(
          "SELECT * FROM questions WHERE asker_kind = ? AND asker_id = ? AND status = 'open'",
          [kind, id],
        );
        const at = now();
        const open = rows.map(toQuestion).filter((question) => kinds?.includes(question.kind) ?? true);
        for (const question of open)
          await settle(tx, question, { status: 'withdrawn', answer: null, by: null, at });
        return open.length;
      }),

    expire: () =>
      write(async (tx) => {
        const at = now();
        const rows = await tx.all("SELECT * FROM questions WHERE status = 'open' AND expires_at <= ?", [
          at.toISOString(),
        ]);
        const expired: Question[] = [];
        for (const question of rows.map(toQuestion))
          expired.push(await settle(tx, question, { status: 'expired', answer: null, by: null, at }));
        await tx.run("DELETE FROM questions WHERE status <> 'open' AND settled_at < ?", [
          new Date(at.getTime() - KEPT_MS).toISOString(),
        ]);
        return expired;
      }),

    settled: (id, signal) =>
      new Promise((resolve, reject) => {
        const stop = (): void => {
          clearInterval(timer);
          waiting.delete(look);
          signal.removeEventListener('abort', abort);
        };
        const abort = (): void => {
          stop();
          reject(new ZooError('conflict', 'Stopped waiting for an answer.'));
        };
        const check = async (): Promise<void> => {
          try {
            const question = await findQuestion(db, id);
            if (question.status === 'open') return;
            stop();
            resolve(question);
          } catch (error) {
            stop();
            reject(asError(error));
          }
        };
        const look = (): void => void check();
        const timer = setInterval(look, pollMs).unref();
        waiting.add(look);
        signal.addEventListener('abort', abort, { once: true });
        if (signal.aborted) abort();
        else look();
      }),
  };
}

/** The existing question with this id, or a new one. */
async function askQuestion(tx: Transaction, question: NewQuestion, now: Date): Promise<Question> {
  const { id = randomUUID(), asker, schema = null, expiresAt = null, ...rest } = question;
  const known = await tx.one('SELECT * FROM questions WHERE id = ?', [id]);
  if (known) return toQuestion(known);
  const asked: Question = {
    ...rest,
    id,
    asker,
    schema,
    askedAt: now.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    status: 'open',
    answer: null,
    settledAt: null,
    settledBy: null,
  };
  await tx.run(
    `INSERT INTO questions (id, kind, asker_kind, asker_id, workspace, agent_id, title, details, schema, asked_at, expires_at, status)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'open')`,
    [
      id,
      asked.kind,
      asker.kind,
      asker.id,
      asked.workspace,
      asked.agentId,
      asked.title,
      JSON.stringify(asked.details),
      schema && JSON.stringify(schema),
      asked.askedAt,
      asked.expiresAt,
    ],
  );
  await tell(tx, 'question-asked', asked, asked.askedAt);
  return asked;
}

interface Settlement {
  status: Exclude<QuestionStatus, 'open'>;
  answer: Question['answer'];
  by: string | null;
  at: Date;
}

async function settle(tx: Transaction, question: Question, settlement: Settlement): Promise<Question> {
  const { status, answer, by } = settlement;
  const at = settlement.at.toISOString();
  await tx.run('UPDATE questions SET status = ?, answer = ?, settled_at = ?, settled_by = ? WHERE id = ?', [
    status,
    answer && JSON.stringify(answer),
    at,
    by,
    question.id,
  ]);
  const settled: Question = { ...question, status, answer, settledAt: at, settledBy: by };
  await tell(tx, 'question-settled', settled, at);
  return settled;
}

/** Answers may be private, so events do not contain them. */
function tell(
  tx: Transaction,
  type: 'question-asked' | 'question-settled',
  { id, kind, status, workspace, agentId }: Question,
  at: string,
): Promise<void> {
  return recordEvent(tx, { type, workspace, agentId, data: { id, kind, status } }, at);
}

async function findQuestion(db: Reader, id: string): Promise<Question> {
  const row = await db.one('SELECT * FROM questions WHERE id = ?', [id]);
  if (row) return toQuestion(row);
  throw new ZooError('question_not_found', `Question '${id}' not found.`, { id });
}

function alreadySettled({ id, status, settledBy }: Question, isLate: boolean): ZooError {
  const how =
    isLate || status === 'expired' ? 'expired' : status === 'answered' ? 'was answered' : 'was withdrawn';
  const by = settledBy === null ? '' : ` by ${settledBy}`;
  return new ZooError('conflict', `Question '${id}' ${how}${by} already.`, { id, status });
}

const Stored = z.record(z.string(), z.unknown());

function toQuestion(row: Row): Question {
  return Question.parse({
    id: row.id,
    kind: row.kind,
    asker: { kind: row.asker_kind, id: row.asker_id },
    workspace: row.workspace,
    agentId: row.agent_id,
    title: row.title,
    details: readStored(Stored, row.details),
    schema: row.schema === null ? null : readStored(Stored, row.schema),
    askedAt: row.asked_at,
    expiresAt: row.expires_at,
    status: row.status,
    answer: row.answer === null ? null : readStored(Stored, row.answer),
    settledAt: row.settled_at,
    settledBy: row.settled_by,
  });
}
