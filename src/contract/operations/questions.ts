import * as z from 'zod';
import { Question, QuestionKind, QuestionStatus } from '../question.ts';
import type { Operation } from '../table/operation.ts';

const tag = 'inbox';
const unary = { kind: 'unary', tag, access: 'operator' } as const;
const read = { ...unary, method: 'GET', status: 200 } as const;

export const operations = {
  listQuestions: {
    ...read,
    summary: 'List questions that wait for a person, oldest first; with `status`, settled ones',
    path: '/api/questions',
    query: z.object({
      status: QuestionStatus.optional(),
      kind: QuestionKind.optional(),
      run: z.string().optional(),
      limit: z.int().min(1).max(1000).optional(),
    }),
    output: z.strictObject({ questions: z.array(Question) }),
    errors: ['invalid_arguments'],
  },
  getQuestion: {
    ...read,
    summary: 'Get a question, even after it was settled',
    path: '/api/questions/{id}',
    params: z.object({ id: z.string() }),
    output: Question,
    errors: ['question_not_found'],
  },
  answerQuestion: {
    ...unary,
    summary: 'Answer a question; the first answer wins, later ones get a conflict',
    method: 'POST',
    path: '/api/questions/{id}/answer',
    params: z.object({ id: z.string() }),
    body: z.strictObject({ answer: z.record(z.string(), z.unknown()) }),
    output: Question,
    status: 200,
    errors: ['question_not_found', 'conflict', 'invalid_arguments'],
  },
} as const satisfies Record<string, Operation>;
