import type { View } from '../invocation.ts';
import { renderTable } from './table.ts';

export interface Greeting {
  url: string;
  /** Opens the page without asking for the token. */
  link: string;
  auth: boolean;
  /** An agent to try. */
  example: string | undefined;
  /** What to type for `zoo`. */
  command: string;
  version: string;
}

/** Shown when the hub has started. */
export function renderGreeting({ url, link, auth, example, command, version }: Greeting, view: View): string {
  const header = auth ? `-H "Authorization: Bearer $(${command} token)" ` : '';
  const { paint } = view;
  const tries = renderTable(
    [
      [`${command} agent list`, 'list the agents'],
      [`${command} agent test ${example ?? 'ID'}`, 'show the prompt that an agent resolves to'],
      [`${command} agent create`, 'create an agent of your own'],
    ],
    view,
  );
  return [
    `${paint('bold', `Agent Zoo ${version}`)} is running at ${paint('bold', url)}`,
    '',
    auth ? `Open the page: ${link}` : `Open the page: ${url}`,
    ...(auth ? [paint('dim', `  (works once, within ten minutes; \`${command} open\` prints another)`)] : []),
    ...(auth
      ? []
      : [
          '',
          `${paint('warning', 'warning')}: with --no-auth, every program on this machine can act as you.`,
        ]),
    '',
    'Try next, in another terminal:',
    ...tries,
    '',
    `Or over HTTP:  curl ${header}${url}/agents/list`,
    paint('dim', `Ctrl-C stops the hub. Its log: ${command} logs -f`),
    '',
  ].join('\n');
}
