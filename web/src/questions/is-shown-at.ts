import type { Question } from '../../../src/contract/question.ts';

type Asked = Pick<Question, 'kind' | 'details'>;

/** Whether the page at this path shows the question in its place, so that nobody has to be told of it. */
export function isShownAt(path: string, { kind, details }: Asked): boolean {
  const [, page = '', id] = path.split('/');
  // Chats have a bar for those that wait in other chats.
  if (page === 'chat')
    return kind === 'approval' || kind === 'permission' || (id !== undefined && details['chatId'] === id);
  if (page === 'runs') return id !== undefined && details['runId'] === id;
  if (page === 'teams') return id !== undefined && details['teamId'] === id;
  return page === 'home';
}
