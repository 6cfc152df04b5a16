import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import measure from 'fast-string-truncated-width';
import { ensureBuilt, ensureInstalled } from './prepare.js';
import { root } from './root.js';
import { startSampleModel } from './sample-model.js';
import { fillZoo, sampleFiles, startZoo } from './sample-zoo.js';

/**
 * Every command at a terminal, to be read by whoever changes what commands print: `npm run transcript -- 120`.
 * Colours are kept: `less -R` shows them, on the ground of your terminal. Needs `script` of util-linux.
 */
const commands = `
status
doctor
agent list
agent list --deleted
agent list --source nope
agent show code-wizard
agent show nope
agent test oncall
agent test oncall --arg enginer=Ada
agent test oncall --arg engineer=Ada --receipt
agent test reviewer
agent history code-wizard
agent diff code-wizard 1 2
agent export reviewer --format md
agent create --name Helper --tool serch
agent edit helper --set description=Helps
agent clone oncall --id oncall
agent rm helper
agent undelete helper
agent init helper --lang lua
template list
trust
trust --yes
config check
sources
sources add docs --name more
sync
stats
search rollback
search 'rollback "no such phrase"'
search rollback --explain
search zzzz
get docs/deploy.md
embed status
tools list
tools list --search find
tools show search
tools status
tools add broken -- no-such-command --flag
tools call search --arg query=rollback
tools call serch
scope show oncall
scope explain oncall serch
scope explain reviewer Read
activity
brain add code-wizard remember-the-milk
brain list code-wizard
connect
connect claude-code --dry-run
current code-wizard
current
providers
runs list
runs show :run
chats list
chats show :chat
inbox
team list
team show :team
team log :team
team inbox :team
team inspect :team lead
harness list
token list
token create --agent code-wizard --label laptop
secret list
logs -n 5
backup backup.zoo
nonsense
agent
help agent test
--help`
  .trim()
  .split('\n');

const columns = Number(process.argv[2] ?? 80);
ensureInstalled();
await ensureBuilt();
const model = await startSampleModel();
const zoo = await startZoo(sampleFiles, undefined, model.env);
const env = { ...zoo.env, CI: undefined, TERM: 'xterm-256color', SHELL: '/bin/sh' };
let wide = 0;
let text = '';
try {
  const ids = Object.entries(await fillZoo(zoo));
  for (const command of commands) {
    const line = ids.reduce((so, [name, id]) => so.replace(`:${name}`, id), command);
    const program = `stty cols ${columns} rows 40; exec "${process.execPath}" "${join(root, 'dist/zoo.js')}" ${line}`;
    const { stdout } = spawnSync('script', ['-qec', program, '/dev/null'], {
      cwd: zoo.work,
      env,
      encoding: 'utf8',
      timeout: 60_000,
    });
    const screen = stdout.replaceAll('\r\n', '\n');
    // A progress bar is drawn over itself.
    const tooWide = stripVTControlCharacters(screen.replaceAll('\u001b[1G', '\n'))
      .split('\n')
      .filter((each) => measure(each).width > columns);
    for (const each of tooWide) process.stdout.write(`wider than ${columns}: zoo ${line}: ${each}\n`);
    wide += tooWide.length;
    text += `$ zoo ${line}\n${screen}\n`;
  }
} finally {
  await zoo.close();
  await model.close();
}
const file = join(root, `dist/transcript-${columns}.txt`);
writeFileSync(file, text);
process.stdout.write(`${commands.length} commands, ${wide} lines wider than ${columns} columns: ${file}\n`);
