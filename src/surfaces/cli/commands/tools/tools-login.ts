import type { ZooClient } from '../../../../contract/api.ts';
import type { UpstreamLogin } from '../../../../contract/operations/upstreams.ts';
import { hasDisplay, openBrowser } from '../../output/browser.ts';
import { Failure } from '../../output/failure.ts';
import { print, say } from '../../invocation.ts';
import type { Invocation } from '../../invocation.ts';
import { withClient } from '../../hub-access/with-client.ts';

/** Sends the user to the server's sign-in page and waits for the result. */
export async function logIn(call: Invocation, name: string, { open }: { open: boolean }): Promise<void> {
  const ended = await withClient(call, async (client): Promise<UpstreamLogin> => {
    const begun = await client.call('loginUpstream', { name });
    if (begun.url === null) return begun;
    const opened = open && hasDisplay(call.env) && (await openBrowser(begun.url));
    say(
      call,
      opened ? `Sign in in your browser, or open ${begun.url}` : `Open this link to sign in:\n${begun.url}`,
    );
    return waitForEnd(client, name);
  });
  if (ended.state !== 'done') {
    throw new Failure(ended.error ?? `sign-in at ${name} was not completed`, {
      hints: [`retry: zoo tools login ${name}`],
    });
  }
  print(call, ended, () => `Signed in to ${name}.`);
}

export async function logOut(call: Invocation, name: string): Promise<void> {
  const login = await withClient(call, (client) => client.call('logoutUpstream', { name }));
  print(call, login, () => `Signed out of ${name}: its tokens were deleted from this machine.`);
}

async function waitForEnd(client: ZooClient, name: string): Promise<UpstreamLogin> {
  for (;;) {
    const login = await client.call('getUpstreamLogin', { name });
    if (login.state !== 'waiting') return login;
  }
}
