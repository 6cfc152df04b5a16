import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';
import type { AgentSummary } from '../../contract/agent.ts';
import type { RawReply } from '../../contract/table/operation.ts';

type Html = ReturnType<typeof html>;

const STYLE = `
:root { color-scheme: light dark; --ground: #faf9f6; --card: #fff; --ink: #1d2521; --soft: #5d6a63; --line: #e3e1d9; --leaf: #1f7a4d; --leaf-ground: #e6f3ea; }
@media (prefers-color-scheme: dark) { :root { --ground: #141816; --card: #1c221f; --ink: #e8ece9; --soft: #9aa8a0; --line: #2e3732; --leaf: #6fce9a; --leaf-ground: #1d3327; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 3rem 1.25rem 4rem; }
h1 { font-size: 1.9rem; margin: 0; letter-spacing: -0.02em; }
h2 { font-size: 1.1rem; margin: 2.5rem 0 0.75rem; }
.up { display: inline-block; margin: 0.75rem 0 0; padding: 0.15rem 0.7rem; border-radius: 1rem; background: var(--leaf-ground); color: var(--leaf); font-size: 0.9rem; }
ul { list-style: none; margin: 0; padding: 0; display: grid; gap: 0.75rem; grid-template-columns: repeat(auto-fill, minmax(17rem, 1fr)); }
li { background: var(--card); border: 1px solid var(--line); border-radius: 0.7rem; padding: 1rem 1.1rem; overflow-wrap: anywhere; }
h3 { font-size: 1rem; margin: 0; }
p { margin: 0.35rem 0 0; }
.soft { color: var(--soft); font-size: 0.9rem; }
pre { background: var(--card); border: 1px solid var(--line); border-radius: 0.7rem; padding: 1rem 1.1rem; overflow-x: auto; margin: 0; }
code, pre { font: 0.88rem/1.6 ui-monospace, monospace; }
`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');
const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
};

export interface HomePage {
  version: string;
  /** The host and port the page was asked for. */
  host: string;
  agents: readonly AgentSummary[];
  total: number;
}

/** What stands at `/` until there is an editor. */
export async function renderHome({ version, host, agents, total }: HomePage): Promise<RawReply> {
  const address = `http://${host}`;
  const commands = [
    'zoo agent list',
    `curl -H "Authorization: Bearer $(zoo token)" ${address}/agents/list`,
    `curl -X POST -H "Authorization: Bearer $(zoo token)" ${address}/agents/${agents[0]?.id ?? 'ID'}/prompt`,
  ].join('\n');
  const body = html`<h1>Agent Zoo</h1>
    <p class="up">The hub is running, version ${version}</p>
    <h2>${total === 1 ? '1 agent' : `${total} agents`}</h2>
    ${
      agents.length > 0
        ? html`<ul>
            ${agents.map(renderAgent)}
          </ul>`
        : html`<p class="soft">None yet. <code>zoo agent create</code> makes one.</p>`
    }
    ${total > agents.length ? html`<p class="soft">and ${total - agents.length} more: <code>zoo agent list</code></p>` : ''}
    <h2>Connect</h2>
    <pre>${commands}</pre>
    <p class="soft">Everything the hub can do is described in <a href="/openapi.json">/openapi.json</a>.</p>`;
  return page(200, 'Agent Zoo', body);
}

const renderAgent = ({ id, name, description, source, tools }: AgentSummary): Html =>
  html`<li>
    <h3>${name}</h3>
    ${description ? html`<p>${description}</p>` : ''}
    <p class="soft"><code>${id}</code> · ${source} · ${renderTools(tools)}</p>
  </li>`;

function renderTools(tools: readonly string[] | null): string {
  if (tools === null) return 'read-only tools';
  return tools.length > 0 ? tools.join(', ') : 'no tools';
}

/** For a person who comes without a session; programs get the same as JSON. */
export const renderLoginNeeded = (): Promise<RawReply> =>
  page(
    401,
    'Agent Zoo: please sign in',
    html`<h1>Agent Zoo</h1>
      <p>This page belongs to whoever runs the hub. In a terminal on that machine, run</p>
      <pre>zoo open</pre>
      <p class="soft">It opens the page with a link that works once.</p>`,
  );

async function page(status: number, title: string, body: Html): Promise<RawReply> {
  const whole = await html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        ${raw(`<style>${STYLE}</style>`)}
      </head>
      <body>
        <main>${body}</main>
      </body>
    </html>`;
  return { status, headers: PAGE_HEADERS, body: whole.toString() };
}
