import type { ApprovalView } from './run-view.ts';

/** How a decision reads afterwards. */
export function decisionWords(decision: NonNullable<ApprovalView['decision']>, isInChat: boolean): string {
  if (decision === 'once') return 'Allowed once';
  if (decision === 'chat') return isInChat ? 'Allowed for this chat' : 'Allowed for this run';
  return decision === 'always' ? 'Always allowed for this agent' : 'Denied';
}
