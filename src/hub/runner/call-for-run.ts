import { ZooError } from '../../contract/errors.ts';
import { silentCall } from '../../contract/tool.ts';
import type { RunnerOptions } from '../../runner/runner-options.ts';
import { callThatAsks, elicitationTitle } from '../tools/asking-call.ts';
import type { ToolCalls } from '../tools/tool-calls.ts';

/** Stop after this many sign-ins that the server still rejects. */
const MOST_LOGINS = 3;

/** Tool calls of runs: questions of servers go to the person behind the run, if there is one. */
export function callForRun(call: ToolCalls['call']): RunnerOptions['call'] {
  return async (name, args, { context, progress, ask }) => {
    if (!ask) return call(name, args, { ...silentCall(context), progress });
    const asking = callThatAsks(context, (params) =>
      ask({ kind: 'elicitation', title: elicitationTitle(params['message']), details: params }),
    );
    for (let attempt = 0; ; attempt++) {
      try {
        return await call(name, args, { ...asking, progress });
      } catch (error) {
        const server = serverToSignIn(error);
        if (server === null || attempt === MOST_LOGINS) throw error;
        const title = `The server '${server}' needs a sign-in: 'zoo tools login ${server}' on the hub's machine.`;
        const answer = await ask({ kind: 'login', title, details: { server, tool: name } });
        if (answer?.['action'] !== 'accept') throw error;
      }
    }
  };
}

/** The server that rejected a call because nobody is signed in; the call had no effect. */
function serverToSignIn(error: unknown): string | null {
  if (!(error instanceof ZooError) || error.details?.['login'] !== true) return null;
  const { server } = error.details;
  return typeof server === 'string' ? server : null;
}
