import type { Paint } from '../output/terminal.ts';
import { alignColumns } from './layout.ts';

export interface Greeting {
  url: string;
  /** Opens the page without a token. */
  link: string;
  auth: boolean;
  /** An agent to try. */
  example: string | undefined;
  /** What to type for `zoo`. */
  command: string;
  version: string;
}

/** What a person sees when the hub has started. */
export function renderGreeting(
  { url, link, auth, example, command, version }: Greeting,
  paint: Paint,
): string {
  const header = auth ? `-H "Authorization: Bearer $(${command} token)" ` : '';
  const tries = alignColumns([
    [`  ${command} agent list`, 'see the agents that are here'],
    [`  ${command} agent test ${example ?? 'ID'}`, 'see the prompt that one resolves to'],
    [`  ${command} agent create --name "My agent"`, 'make one of your own'],
  ]);
  return [
    `${paint('bold', `Agent Zoo ${version}`)} is running at ${paint('cyan', url)}`,
    '',
    auth ? `Open the page: ${link}` : `Open the page: ${url}`,
    ...(auth ? [paint('dim', `  (works once, within ten minutes; \`${command} open\` gives another)`)] : []),
    ...(auth
      ? []
      : ['', paint('yellow', 'WARNING: --no-auth: every program on this machine can act as you here.')]),
    '',
    'Try next, in another terminal:',
    ...tries,
    '',
    `Or over HTTP:  curl ${header}${url}/agents/list`,
    paint('dim', `Ctrl-C stops the hub. Its log: ${command} logs -f`),
    '',
  ].join('\n');
}
