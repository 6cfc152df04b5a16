// `cursor-agent` and `claude` in print mode, with the flags and files that they have: a process per turn, the prompt on
// standard input, JSON lines as output. The model is the prompt itself: lines that begin with `!` are calls of tools.
import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { callTool } from './call-team-tool.js';

const [kind, ...args] = process.argv.slice(2);
const oracle = process.env['ORACLE'];
/** @param {object} entry */
const note = (entry) => oracle && appendFileSync(oracle, `${JSON.stringify(entry)}\n`);
/** @param {object} line */
const print = (line) => console.log(JSON.stringify(line));
/** @param {string} name */
const option = (name) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
const settings = join(homedir(), '.cursor');

if (args[0] === '--version') finish(0, '2026.11.1');
if (args[0] === '--help') finish(0, 'Usage: agent [options]\n  -p, --print');
if (args[0] === 'mcp' && args[1] === 'enable') {
  writeFileSync(join(settings, `enabled-${args[2]}`), '');
  finish(0, '');
}
if (!args.includes('-p') || option('--output-format') !== 'stream-json') finish(2, 'print mode only');

/** @returns {never} @param {number} code @param {string} text */
function finish(code, text) {
  if (text !== '') console.log(text);
  process.exit(code);
}

/** @returns {{ url: string, headers: Record<string, string> }} */
function findServer() {
  if (kind === 'claude') {
    const config = (option('--mcp-config') ?? '').replaceAll(
      /\$\{(\w+)\}/g,
      (_match, name) => process.env[name] ?? '',
    );
    return JSON.parse(config).mcpServers.team;
  }
  if (!existsSync(join(process.cwd(), '.cursor', '.workspace-trusted')))
    finish(1, 'the workspace is not trusted');
  if (!existsSync(join(settings, 'enabled-team'))) finish(1, 'the MCP server is not enabled');
  return JSON.parse(readFileSync(join(settings, 'mcp.json'), 'utf8')).mcpServers.team;
}

/** The conversation goes on where the last process left it. */
function findSession() {
  const chats = join(homedir(), `.${kind}-chats`);
  mkdirSync(chats, { recursive: true });
  const resumed = option('--resume');
  if (resumed !== undefined && !existsSync(join(chats, resumed))) {
    finish(
      1,
      kind === 'claude' ? `No conversation found with session ID: ${resumed}` : `Chat ${resumed} not found`,
    );
  }
  const id = resumed ?? option('--session-id') ?? randomUUID();
  appendFileSync(join(chats, id), 'turn\n');
  return { id, turns: readFileSync(join(chats, id), 'utf8').split('\n').length - 1 };
}

const { id, turns } = findSession();
const server = findServer();
print({ type: 'system', subtype: 'init', session_id: id });
const prompt = readFileSync(0, 'utf8');
note({ prompt, session: id, turns, cwd: process.cwd(), token: server.headers['Authorization'], args });
for (const line of prompt.split('\n').filter((each) => each.startsWith('!'))) {
  const [, verb = '', rest = ''] = /^!(\w+)\s*(.*)$/.exec(line) ?? [];
  if (verb === 'crash') finish(3, '');
  if (verb === 'hang') await new Promise(() => setInterval(() => undefined, 1000));
  if (verb === 'flood') {
    process.stderr.write('e'.repeat(400_000));
    print({ type: 'assistant', message: { content: [{ type: 'text', text: 'x'.repeat(300_000) }] } });
    continue;
  }
  const input = rest === '' ? {} : JSON.parse(rest);
  print({
    type: 'assistant',
    message: { content: [{ type: 'tool_use', name: `mcp__team__${verb}`, input }] },
  });
  note({ tool: verb, args: input, result: await callTool(server.url, server.headers, verb, input) });
}
note({ finished: prompt, session: id });
print({
  type: 'result',
  subtype: 'success',
  is_error: false,
  result: 'done',
  session_id: id,
  usage: { input_tokens: 10, output_tokens: 5 },
  total_cost_usd: 0.01,
});
