/** One line of `zoo doctor`. */
export interface Check {
  name: string;
  state: 'ok' | 'warn' | 'fail';
  message: string;
  /** What to do about it. */
  advice: string | null;
}

export const ok = (name: string, message: string): Check => ({ name, state: 'ok', message, advice: null });
export const warn = (name: string, message: string, advice: string): Check => ({
  name,
  state: 'warn',
  message,
  advice,
});
export const fail = (name: string, message: string, advice: string): Check => ({
  name,
  state: 'fail',
  message,
  advice,
});
