import type { HubStatus } from '../../../../contract/operations/hub.ts';
import { findHub } from '../../../../platform/home/hub-file.ts';
import { zooHome } from '../../../../platform/home/paths.ts';
import { VERSION } from '../../../../platform/home/version.ts';
import { hasDisplay, openBrowser } from '../../output/browser.ts';
import { connectToHub, notRunning } from '../../hub-access/connect-to-hub.ts';
import { Failure } from '../../output/failure.ts';
import { isRefused } from '../../hub-access/http-transport.ts';
import { print, say } from '../../invocation.ts';
import type { Invocation, View } from '../../invocation.ts';
import { localTime, plural, renderFacts } from '../../render/layout.ts';

const stopPatienceMs = 15_000;

/** Succeeds only if the hub responds, so that scripts can test for it. */
export async function showStatus(call: Invocation): Promise<void> {
  const status = await atHub(call, ({ client }) => client.call('status', {}));
  print(call, { running: true, ...status }, () => renderStatus(status, call));
  if (!call.json && status.version !== VERSION) {
    say(
      call,
      `This command is version ${VERSION}: restart the hub to match (\`zoo stop\`, then \`zoo serve\`).`,
    );
  }
}

function renderStatus(status: HubStatus, view: View): string {
  const { errors, warnings } = status.diagnostics;
  const trouble = [
    errors > 0 ? plural(errors, 'error') : '',
    warnings > 0 ? plural(warnings, 'warning') : '',
  ];
  const found = trouble.filter((text) => text !== '').join(', ');
  return renderFacts(
    [
      ['Running', `${status.url ?? ''} (pid ${status.pid}, version ${status.version})`],
      ['Since', localTime(status.startedAt)],
      ['Home', status.home],
      ['Workspace', `${status.workspace.path} (${status.workspace.trust.replaceAll('-', ' ')})`],
      ['Agents', String(status.agents)],
      ...(status.runsPaused ? ([['Runs', 'paused: `zoo resume` continues them']] as const) : []),
      ['Config', found === '' ? 'ok' : `${found} (\`zoo config check\`)`],
    ],
    view,
  );
}

export async function stopHub(call: Invocation): Promise<void> {
  const home = zooHome(call.env);
  const hub = await atHub(call, async (connection) => {
    await connection.client.call('stop', {});
    return connection.hub;
  });
  const deadline = Date.now() + stopPatienceMs;
  while (findHub(home)?.pid === hub.pid || isAlive(hub.pid)) {
    if (Date.now() > deadline) {
      throw new Failure(`the hub (pid ${hub.pid}) is still stopping`, {
        hints: ['`zoo status` shows whether it has stopped'],
      });
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  print(call, { stopped: hub.pid }, () => `Stopped the hub (pid ${hub.pid})`);
}

export async function openPage(call: Invocation, options: { browser: boolean }): Promise<void> {
  const link = await atHub(
    call,
    async ({ client, hub }) => hub.url + (await client.call('createLogin', {})).path,
  );
  const wanted = options.browser && !call.json && hasDisplay(call.env);
  if (wanted && (await openBrowser(link))) return say(call, 'Opened the page in your browser.');
  print(call, { url: link }, () => link);
  if (!call.json) say(call, 'Open this link in a browser. It works once, within ten minutes.');
}

/** A hub that does not respond is not running, whatever its file says. */
async function atHub<T>(
  call: Invocation,
  work: (connection: Awaited<ReturnType<typeof connectToHub>>) => Promise<T>,
): Promise<T> {
  const connection = await connectToHub(call);
  try {
    return await work(connection);
  } catch (error) {
    throw isRefused(error) ? notRunning() : error;
  } finally {
    await connection.close();
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
