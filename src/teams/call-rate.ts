import { ZooError } from '../contract/errors.ts';

/** Throws `rate_limited`, with the time to wait, for a member that calls too often within a minute. */
export function createCallRate(now: () => number): (member: string, perMinute: number) => void {
  const calls = new Map<string, number[]>();
  return (member, perMinute) => {
    const since = now() - 60_000;
    const recent = (calls.get(member) ?? []).filter((at) => at > since);
    calls.set(member, recent);
    const oldest = recent[recent.length - perMinute];
    if (oldest === undefined) {
      recent.push(now());
      return;
    }
    const seconds = Math.max(1, Math.ceil((oldest - since) / 1000));
    throw new ZooError(
      'rate_limited',
      `More than ${perMinute} calls of team tools within a minute. Try again in ${seconds} s, or end your turn.`,
      { retryAfter: seconds },
    );
  };
}
