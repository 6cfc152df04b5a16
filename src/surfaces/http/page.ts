import { createHash } from 'node:crypto';
import type { RawReply } from '../../contract/table/operation.ts';

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
[hidden] { display: none; }
`;

/**
 * Runs in the browser. The token lives in the storage of this origin (host and port) and travels in a header that
 * only scripts of this origin can set: a server on another port of the same host never gets it, as it would a cookie.
 */
const SCRIPT = `
const KEY = 'agent-zoo-token';
const find = (id) => document.getElementById(id);
const show = (id) => { for (const part of document.querySelectorAll('section')) part.hidden = part.id !== id; };
const make = (tag, text, name) => { const made = document.createElement(tag); made.textContent = text; if (name) made.className = name; return made; };

async function exchangeCode() {
  const code = new URLSearchParams(location.hash.slice(1)).get('login');
  if (code === null) return;
  history.replaceState(null, '', location.pathname);
  const response = await fetch('/api/logins/exchange', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  const answer = await response.json();
  if (response.ok) localStorage.setItem(KEY, answer.token);
  else find('reason').textContent = answer.error.message;
}

function renderAgent({ id, name, description, source, tools }) {
  const item = document.createElement('li');
  const granted = tools === null ? 'read-only tools' : tools.join(', ') || 'no tools';
  item.append(make('h3', name), make('p', description), make('p', id + ' · ' + source + ' · ' + granted, 'soft'));
  return item;
}

async function load() {
  const token = localStorage.getItem(KEY);
  const headers = token === null ? {} : { authorization: 'Bearer ' + token };
  const response = await fetch('/api/agents?limit=60', { headers });
  if (response.status === 401) {
    localStorage.removeItem(KEY);
    return show('signed-out');
  }
  const { agents, total } = await response.json();
  find('count').textContent = total === 1 ? '1 agent' : total + ' agents';
  find('agents').replaceChildren(...agents.map(renderAgent));
  find('more').textContent = total > agents.length ? 'and ' + (total - agents.length) + ' more: zoo agent list' : '';
  find('commands').textContent = [
    'zoo agent list',
    'curl -H "Authorization: Bearer $(zoo token)" ' + location.origin + '/agents/list',
    'curl -X POST -H "Authorization: Bearer $(zoo token)" ' + location.origin + '/agents/' + (agents[0]?.id ?? 'ID') + '/prompt',
  ].join('\\n');
  show('signed-in');
}

exchangeCode().then(load).catch(() => show('unreachable'));
`;

const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; script-src ${hash(SCRIPT)}; style-src ${hash(STYLE)}; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
};

/**
 * The page until there is an editor. It holds no data: it is public, and reads what it shows with the token that the
 * link of `zoo open` was exchanged for.
 */
export function renderHome(version: string): RawReply {
  const body = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Agent Zoo</title>
    <link rel="icon" href="data:," />
    <style>${STYLE}</style>
  </head>
  <body>
    <main>
      <h1>Agent Zoo</h1>
      <p class="up">The hub is running, version ${version}</p>
      <section id="signed-in" hidden>
        <h2 id="count"></h2>
        <ul id="agents"></ul>
        <p class="soft" id="more"></p>
        <h2>Connect</h2>
        <pre id="commands"></pre>
      </section>
      <section id="signed-out" hidden>
        <p id="reason"></p>
        <p>To sign in, run this in a terminal on the machine that runs the hub:</p>
        <pre>zoo open</pre>
        <p class="soft">It opens this page with a link that works once.</p>
      </section>
      <section id="unreachable" hidden><p>The hub did not answer. Reload the page to try again.</p></section>
      <noscript><p>This page needs JavaScript. <code>zoo agent list</code> shows the agents in a terminal.</p></noscript>
    </main>
    <script>${SCRIPT}</script>
  </body>
</html>
`;
  return { status: 200, headers: PAGE_HEADERS, body };
}
