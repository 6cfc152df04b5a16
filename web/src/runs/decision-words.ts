import type { ApprovalView } from './run-view.ts';

/** How a decision reads afterwards. */
export const decisionWords: Record<NonNullable<ApprovalView['decision']>, string> = {
  once: 'Allowed once',
  chat: 'Allowed for this chat',
  always: 'Always allowed for this agent',
  deny: 'Denied',
};
