import type { Seen } from './team-stage.ts';

/** One attempt at a turn, as the member saw it. */
export interface Attempt {
  prompt: string;
  session: string;
  pid: number;
  /** The messages in its prompt, and those that `check_inbox` gave it. */
  messages: ReadonlySet<string>;
  /** The turn that it says it is a retry of. */
  retryOf: string | null;
  isFinished: boolean;
}

/** What the members really saw, in order, from their own notes. */
export function attemptsIn(seen: readonly Seen[]): Attempt[] {
  const attempts: (Attempt & { messages: Set<string> })[] = [];
  const last = (session: string | undefined) => attempts.findLast((each) => each.session === session);
  for (const { prompt, finished, session, pid, tool, result } of seen) {
    if (prompt !== undefined) {
      attempts.push({
        prompt,
        session: session ?? '',
        pid: pid ?? 0,
        messages: new Set(
          [...prompt.matchAll(/^<message-[0-9a-f]+ .*\bid="([^"]+)"/gm)].map(([, id = '']) => id),
        ),
        retryOf: /^This turn \(([^)]+)\) was interrupted/m.exec(prompt)?.[1] ?? null,
        isFinished: false,
      });
    } else if (finished !== undefined) {
      const attempt = last(session);
      if (attempt) attempt.isFinished = true;
    } else if (tool === 'check_inbox') {
      const list = result?.['messages'];
      for (const each of Array.isArray(list) ? list : [])
        last(session)?.messages.add(String(each.message_id));
    }
  }
  return attempts;
}
