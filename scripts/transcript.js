import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import measure from 'fast-string-truncated-width';
import { ensureBuilt, ensureInstalled } from './prepare.js';
import { root } from './root.js';
import { startSampleModel } from './sample-model.js';
import { fillZoo, sampleFiles, startZoo } from './sample-zoo.js';

/**
 * Every command at a terminal, to be read by whoever changes what commands print: `npm run transcript -- 120`, or only
 * some of them: `npm run transcript -- 80 team`.
 * Colours are kept: `less -R` shows them, on the ground of your terminal. Needs `script` of util-linux.
 */
const commands = `
zoo --version
zoo status
zoo doctor
zoo open --no-browser
zoo serve --port 0
zoo agent list
zoo agent list --deleted
zoo agent list --source nope
zoo agent show code-wizard
zoo agent show nope
zoo agent test oncall
zoo agent test oncall --arg enginer=Ada
zoo agent test oncall --arg engineer=Ada --receipt
zoo agent test reviewer
zoo agent history code-wizard
zoo agent diff code-wizard 1 2
zoo agent restore code-wizard 1
zoo agent restore code-wizard 99
zoo agent export reviewer --format md
zoo agent import .claude/agents
zoo agent import nowhere.md
zoo agent create --name Helper --tool serch
zoo agent edit helper --set description=Helps
zoo agent clone oncall --id oncall ⌨ n
zoo agent rm helper
zoo agent undelete helper
zoo agent init helper --lang lua
zoo template list
zoo trust
zoo trust --yes
zoo config check
zoo sources
zoo sources add docs --name more
zoo sync
zoo stats
zoo search rollback
zoo search 'rollback "no such phrase"'
zoo search rollback --explain
zoo search zzzz
echo 'how do I roll back?' | zoo search -
zoo get docs/deploy.md
zoo get docs/deploi.md
zoo sources rm filesystem:more
zoo embed status
zoo embed rebuild
zoo tools list
zoo tools list --search find
zoo tools show travel-desk.book_flight
zoo tools status
zoo tools add broken -- no-such-command --flag
zoo trust ⌨ n
zoo trust --yes
zoo tools status
zoo tools restart broken
zoo tools accept broken
zoo tools login broken
zoo tools logout broken
zoo tools import
echo '{"memory": {"command": "no-such-memory"}}' | zoo tools import - --print
zoo doctor
zoo tools call sources
zoo tools call search
zoo tools call serch
zoo tools call broken.echo
zoo scope show oncall
zoo scope explain oncall serch
zoo scope explain reviewer Read
zoo activity
zoo brain add code-wizard 'Ask before the weekend.'
zoo brain list code-wizard
zoo brain show code-wizard :memory
zoo brain edit code-wizard :memory --content 'We deploy on Mondays.'
zoo brain unpin code-wizard :memory
zoo brain pin code-wizard :memory
zoo brain rm code-wizard :memory
zoo brain undelete code-wizard :memory
zoo connect
zoo connect claude-code --dry-run
zoo current code-wizard
zoo current
zoo tool init weather
zoo tool list
zoo tool test weather
zoo connector init wiki
zoo connector test wiki
zoo providers
zoo run archivist 'Why do retries use a key?'
zoo runs list
zoo runs show :run
zoo runs export :run
zoo runs cancel :run
zoo runs resume :run
zoo runs delete :run
zoo pause
zoo status
zoo resume
zoo chat careful ⌨ How do I roll back? ⌨ y ⌨ /exit
echo 'How do I roll back?' | zoo chat careful
zoo chats list
zoo chats show :chat
zoo chats export :chat
zoo chats delete :chat
zoo inbox
zoo inbox answer :question once
zoo inbox answer nope once
zoo publish test travel-desk book_flight --param destination=Paris
zoo publish test travel-desk book_flight --param destination=Paris --param departure_date=2026-12-01
zoo publish serve travel-desk </dev/null
zoo publish serve code-wizard </dev/null
zoo a2a card :url/a2a/night-watch
zoo a2a call :url/a2a/night-watch 'Which builds failed?'
zoo a2a call :url/a2a/night-watch 'Which builds failed?' --token $(zoo token)
zoo a2a card http://127.0.0.1:59999/nobody
zoo team start --harness nope --task 'Plan the day.'
zoo team list
zoo team show :team
zoo team send :team lead 'Please finish today.'
zoo team log :team
zoo team inbox :team
zoo team inspect :team lead
zoo team diff :team lead
zoo team merge :team lead
zoo team discard :team lead
zoo team redeliver :team nope
timeout -s INT 3 zoo team attach :team
zoo team pause :team
zoo team resume :team
zoo team stop :team
zoo harness list
zoo token show
zoo token create --agent code-wizard --label laptop
zoo token list
zoo token rm nope
echo value | zoo secret set API_KEY
zoo secret list
zoo secret rm API_KEY
zoo secret rm API_KEY
timeout -s INT 3 zoo events
zoo logs -n 5
zoo backup backup.zoo
zoo restore backup.zoo ⌨ n
zoo mcp </dev/null
zoo acp </dev/null
zoo completions bash | head -5
zoo nonsense
zoo agent
zoo help agent test
zoo --help
zoo stop
zoo status`
  .trim()
  .split('\n');

const columns = Number(process.argv[2] ?? 80);
const chosen = commands.filter((line) => line.includes(process.argv[3] ?? ''));
ensureInstalled();
await ensureBuilt();
const model = await startSampleModel();
const zoo = await startZoo(sampleFiles, undefined, model.env);
const bin = join(zoo.work, '../bin');
mkdirSync(bin);
writeFileSync(
  join(bin, 'zoo'),
  `#!/bin/sh\nexec "${process.execPath}" "${join(root, 'dist/zoo.js')}" "$@"\n`,
  {
    mode: 0o755,
  },
);
const env = {
  ...zoo.env,
  PATH: `${bin}:${zoo.env['PATH']}`,
  CI: undefined,
  TERM: 'xterm-256color',
  SHELL: '/bin/sh',
};
let wide = 0;
let text = '';
try {
  const ids = Object.entries({ ...(await fillZoo(zoo)), question: await askQuestion(), url: zoo.url });
  for (const command of chosen) {
    const [line = '', ...typed] = ids
      .reduce((so, [name, id]) => so.replace(`:${name}`, id), command)
      .split(' ⌨ ');
    const screen = await atTerminal(
      line,
      typed.map((words) => `${words}\r`),
    );
    for (const each of linesWiderThan(columns, screen)) {
      wide += 1;
      process.stdout.write(`wider than ${columns}: ${line}: ${each}\n`);
    }
    text += `$ ${line}\n${screen}\n`;
  }
} finally {
  await zoo.close();
  await model.close();
}
const file = join(root, `dist/transcript-${columns}.txt`);
writeFileSync(file, text);
process.stdout.write(`${chosen.length} commands, ${wide} lines wider than ${columns} columns: ${file}\n`);
for (const name of missingCommands()) process.stdout.write(`not in the transcript: ${name}\n`);

/**
 * @param {string} line of a shell
 * @param {string[]} typed one after another, whenever nothing has been printed for a while
 * @returns {Promise<string>}
 */
function atTerminal(line, typed) {
  const child = spawn('script', ['-qec', `stty cols ${columns} rows 40; ${line}`, '/dev/null'], {
    cwd: zoo.work,
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let screen = '';
  const type = () => {
    const keys = typed.shift();
    if (keys !== undefined) child.stdin.write(keys);
    else child.stdin.end();
  };
  const end = setTimeout(() => child.kill(), 60_000);
  let timer = setTimeout(type, 3000);
  child.stdout.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
    screen += text;
    clearTimeout(timer);
    timer = setTimeout(type, 3000);
  });
  return new Promise((resolve) =>
    child.once('close', () => {
      clearTimeout(timer);
      clearTimeout(end);
      resolve(screen.replaceAll('\r\n', '\n'));
    }),
  );
}

/** @param {number} width @param {string} screen */
function linesWiderThan(width, screen) {
  // A progress bar is drawn over itself.
  return stripVTControlCharacters(screen.replaceAll('\u001b[1G', '\n'))
    .split('\n')
    .filter((line) => measure(line).width > width);
}

/** An agent that asks before each call of a tool, and what it asks. @returns {Promise<string>} the question's id */
async function askQuestion() {
  await zoo.send('POST', '/api/agents', {
    id: 'careful',
    name: 'Careful',
    tools: ['search'],
    toolPermission: 'always',
  });
  const { id } = Object(await zoo.send('POST', '/api/chats', { agent: 'careful' }));
  await zoo.send('POST', `/api/chats/${id}/messages`, { message: 'How do I roll back?' });
  for (;;) {
    const [question] = Object(await zoo.send('GET', '/api/questions')).questions;
    if (question) return question.id;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** Commands of the reference that no line runs. */
function missingCommands() {
  const reference = readFileSync(join(root, 'docs/cli.md'), 'utf8');
  const names = [...reference.matchAll(/^\| \[`(zoo [^`]+)`\]/gm)].map(([, name = '']) => name);
  return names.filter(
    (name) => !commands.some((line) => `${line} `.includes(`${name.replace(/ list$/, '')} `)),
  );
}
