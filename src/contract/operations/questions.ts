import * as z from 'zod';
import { Question, QuestionKind, QuestionStatus } from '../question.ts';
import type { Operation } from '../table/operation.ts';

const tag = 'inbox';

export const operations = {
  listQuestions: {
    kind: 'unary',
    tag,
    summary: 'List questions that wait for a person, oldest first; with `status`, settled ones',
    method: 'GET',
    path: '/api/questions',
    access: 'operator',
    query: z.object({
      status: QuestionStatus.optional(),
      kind: QuestionKind.optional(),
      limit: z.int().min(1).max(1000).optional(),
    }),
    output: z.strictObject({ questions: z.array(Question) }),
    status: 200,
    errors: ['invalid_arguments'],
  },
  getQuestion: {
    kind: 'unary',
    tag,
    summary: 'Get a question, even after it was settled',
    method: 'GET',
    path: '/api/questions/{id}',
    access: 'operator',
    params: z.object({ id: z.string() }),
    output: Question,
    status: 200,
    errors: ['question_not_found'],
  },
  answerQuestion: {
    kind: 'unary',
    tag,
    summary: 'Answer a question; the first answer wins, later ones get a conflict',
    method: 'POST',
    path: '/api/questions/{id}/answer',
    access: 'operator',
    params: z.object({ id: z.string() }),
    body: z.strictObject({ answer: z.record(z.string(), z.unknown()) }),
    output: Question,
    status: 200,
    errors: ['question_not_found', 'conflict', 'invalid_arguments'],
  },
} as const satisfies Record<string, Operation>;
