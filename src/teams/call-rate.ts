import { ZooError } from '../contract/errors.ts';

/** The times of the calls of each member in the last minute. */
export type RecentCalls = Map<string, number[]>;

/** Throws `rate_limited`, with the time to wait, for a member that calls too often within a minute. */
export function countCall(
  calls: RecentCalls,
  member: string,
  { perMinute, now }: { perMinute: number; now: number },
): void {
  const since = now - 60_000;
  const recent = (calls.get(member) ?? []).filter((at) => at > since);
  // Least recently active first, so that members without recent calls are dropped from the front.
  calls.delete(member);
  calls.set(member, recent);
  for (const [each, times] of calls) {
    if (each === member || (times.at(-1) ?? 0) > since) break;
    calls.delete(each);
  }
  const oldest = recent[recent.length - perMinute];
  if (oldest === undefined) {
    recent.push(now);
    return;
  }
  const seconds = Math.max(1, Math.ceil((oldest - since) / 1000));
  throw new ZooError(
    'rate_limited',
    `More than ${perMinute} calls of team tools within a minute. Try again in ${seconds} s, or end your turn.`,
    { retryAfter: seconds },
  );
}
