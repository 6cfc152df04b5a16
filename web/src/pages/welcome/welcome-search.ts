/** Search parameters of the welcome page. */
export interface WelcomeSearch {
  /** The agent of the first step. */
  agent?: string | undefined;
}

export function readWelcomeSearch({ agent }: Record<string, unknown>): WelcomeSearch {
  return typeof agent === 'string' && agent !== '' ? { agent } : {};
}
