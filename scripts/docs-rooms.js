import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.js';

/**
 * @type {Record<string, [name: string, file: string, purpose: string]>} what to read first, and what a room is for
 */
const rooms = {
  contract: ['api', 'api.ts', 'schemas of everything that crosses a boundary; also runs in the browser'],
  platform: [
    'Database',
    'store/database.ts',
    'the machine: config, store, trust, home folder, files, processes, text',
  ],
  scripting: ['Sandbox', 'sandbox.ts', 'runs sandboxed Lua scripts and trusted TypeScript modules'],
  registry: ['Registry', 'registry.ts', 'agents: their sources, how they are merged and resolved'],
  knowledge: ['', '', 'documents: sync, index and search'],
  tools: ['expandScope', 'scope/scope.ts', 'tools, and which agent may call them'],
  runner: ['Runner', 'runner.ts', 'runs: agents executed against a model'],
  teams: ['step', 'team.ts', 'teams of command-line agents'],
  hub: ['Hub', 'hub.ts', 'wires the rooms, and implements every operation'],
  'surfaces/http': ['createHttpApp', 'app.ts', 'HTTP, and the page'],
  'surfaces/cli': ['createProgram', 'program.ts', 'the command line'],
  'surfaces/mcp': ['createServer', 'serving/create-server.ts', 'MCP over HTTP and streams, and the bridge'],
  'surfaces/a2a': ['createA2AMount', 'mount.ts', 'autonomous agents for other agents, over A2A'],
  'surfaces/acp': ['serveEditor', 'serve-editor.ts', 'agents in editors, over ACP'],
};

/**
 * @type {Record<string, string>} what the folders of a room hold; folders with an index.ts list their files instead
 */
const folders = {
  'runner/budget': 'spending limits, per run and per day',
  'runner/loop': 'the loop of model requests and tool calls',
  'runner/models': 'model providers; only `sdk/` knows the model SDK',
  'runner/approvals': 'asking a person before a tool is called',
  'runner/chats': 'conversations of several runs',
  'runner/runs': 'runs in the store and in memory, and resuming them',
  'runner/publishing': 'published tools: from a call with arguments to a run and its result',
  'runner/jobs': 'calls of published tools that a caller comes back for',
  'teams/state': 'the state of a team, and the rules by which it changes',
  'teams/running': 'sessions and turns of members in this process',
  'teams/sandbox': 'what the processes of a member see of the machine (bubblewrap)',
  'teams/worktrees': 'folders and git worktrees of members',
  'teams/harnesses/acp': 'files, terminals and usage of ACP agents',
  'teams/harnesses/print-mode': 'Claude Code and Cursor, one process per turn',
  'hub/teams': 'wing: teams, their tools and members',
  'hub/teams/tools': 'the tools of team members',
  'hub/runner': 'wing: runs',
  'hub/a2a': 'push configs of A2A tasks',
  'hub/backups': 'wing: backups of the store',
  'hub/clients': 'wing: MCP clients on this machine',
  'hub/config': 'wing: changes to config files',
  'hub/publishing': 'wing: published tools and jobs',
  'platform/bridge': 'relays standard streams to the hub, and starts one if there is none',
  'platform/caching': 'values that are loaded or computed once',
  'contract/offers': 'contracts for providers of prompts, resources and extensions',
  'contract/package': 'the types that `agent-zoo` and `agent-zoo/agent` export',
  'contract/parsing': 'parsing of values, and the wording of what is wrong with them',
  'contract/published': 'prompt templates and the checks of published tools',
  'contract/table': 'what an operation is, and the operation table without schemas',
  'platform/clients': 'one file per MCP client that can be connected, and its config file',
  'platform/config-edits': 'editing JSON and TOML files as text, with everything else unchanged',
  'platform/config': 'reading and checking config files, variables',
  'platform/store': 'the database, its events, backups and token counts',
  'platform/trust': 'what a workspace would run, and whether it is approved',
  'platform/home': 'everything under `ZOO_HOME`: paths, locks, log, access tokens, workspaces',
  'platform/files': 'reading, watching and matching files',
  'platform/processes': 'child processes, their groups and records, worker threads',
  'platform/text': 'names, secrets, fences and token counts in text',
  'scripting/lua': 'the Lua sandbox in its worker threads',
  'scripting/modules': 'TypeScript modules in their worker threads',
  'scripting/host': 'the functions that scripts can call',
  'registry/agent-file': 'reading agents from files that somebody hands over',
  'registry/layers': 'the agents of one config, and their last good versions',
  'registry/markdown': 'agents as Markdown files',
  'registry/programs': 'agents whose prompt a script or module computes',
  'registry/golden': 'expected prompts for tests',
  'knowledge/index': 'the index file: schema, writing, reading',
  'knowledge/search': 'queries, ranking and passages',
  'knowledge/search/vectors': 'search by meaning',
  'knowledge/embedding': 'vectors for chunks and questions',
  'knowledge/sync': 'updating the index from sources',
  'knowledge/context': 'documents and workspace files for prompts',
  'knowledge/files': 'walking and reading folders',
  'knowledge/git': 'reading Git repositories',
  'knowledge/web': 'reading websites',
  'knowledge/extraction': 'text from Markdown, HTML, PDF and DOCX',
  'knowledge/chunking': 'cutting documents into passages',
  'tools/activity': 'the record of tool calls',
  'tools/catalogue': 'all tools by name, and searching them',
  'tools/scope': 'which tools an agent may see and call',
  'tools/script': 'Lua tools',
  'tools/upstream': 'tools of other MCP servers',
  'tools/a2a': 'calls of remote agents over A2A',
  'hub/base': 'shared by all wings: store, events, files of workspaces, status',
  'hub/workspaces': 'wing: workspaces, their trust and their views',
  'hub/serving': 'starts and stops a served hub, for `zoo serve` and `runServer`',
  'hub/inbox': 'wing: questions that wait for a person',
  'hub/access': 'wing: tokens, logins and authentication',
  'hub/agents': 'wing: agents, their memories, and resolve',
  'hub/knowledge': 'wing: search, documents and syncs',
  'hub/tools': 'wing: tool catalogue, scopes and calls',
  'hub/upstreams': 'wing: upstream MCP servers',
  'hub/offers': 'tools, prompts and resources of all wings, for MCP clients',
  'surfaces/cli/agent-file': 'reading and writing agent files',
  'surfaces/cli/commands':
    'one folder per group of commands: `NAME-commands.ts` declares them, the rest runs them',
  'surfaces/cli/hub-access': 'connecting to a hub, or working without one',
  'surfaces/cli/input': 'options, files and editors',
  'surfaces/cli/output': 'the terminal, progress and failures',
  'surfaces/cli/render': 'printing results as text',
  'surfaces/cli/serving': '`zoo serve`',
  'surfaces/acp/bridge': '`zoo acp`: relays an editor to the hub',
  'surfaces/mcp/bridge': '`zoo mcp`: relays stdio to the hub',
  'surfaces/mcp/changes': 'change notifications to connected clients',
  'surfaces/mcp/http': '`/mcp`: sessions, streams and single requests over HTTP',
  'surfaces/mcp/serving': 'handlers of MCP requests, shared by all transports',
  'surfaces/mcp/socket': 'the local socket that bridges connect to',
  'contract/operations': 'the table of operations, one file per group',
};

/** The existing rooms, in import order. */
export function renderRooms() {
  const found = foldersIn('src').flatMap((name) =>
    name === 'surfaces' ? foldersIn('src/surfaces').map((surface) => `surfaces/${surface}`) : [name],
  );
  const unknown = found.filter((room) => !(room in rooms));
  if (unknown.length > 0)
    throw new Error(`scripts/docs-rooms.js has no description of ${unknown.join(', ')}`);
  const rows = Object.keys(rooms)
    .filter((room) => found.includes(room))
    .flatMap(renderRoom);
  const client = `| \`client.ts\` | calls the operations over any transport; imports only \`contract/\` | ${docOf('src/client.ts', 'createClient')} |`;
  return ['| | what it does | start here |', '| --- | --- | --- |', ...rows, client].join('\n');
}

/** @param {string} room @returns {string[]} */
function renderRoom(room) {
  const [name, file, purpose] = rooms[room] ?? ['', '', ''];
  const start = file ? `[\`${file}\`](../src/${room}/${file}): ${docOf(`src/${room}/${file}`, name)}` : '';
  return [
    `| **\`${room}/\`** | ${purpose} | ${start} |`,
    ...foldersIn(`src/${room}`).flatMap((folder) => renderFolder(`${room}/${folder}`)),
  ];
}

/** A folder, and those in it that list their implementations. @param {string} folder @returns {string[]} */
function renderFolder(folder) {
  const inside = foldersIn(`src/${folder}`)
    .map((name) => `${folder}/${name}`)
    .filter((name) => existsSync(join(root, 'src', name, 'index.ts')));
  return [`| \`${folder}/\` | ${holds(folder)} | |`, ...inside.flatMap(renderFolder)];
}

/** @param {string} folder */
function holds(folder) {
  const purpose = folders[folder];
  if (purpose) return purpose;
  if (existsSync(join(root, 'src', folder, 'index.ts'))) return implementationsIn(`src/${folder}`);
  throw new Error(`scripts/docs-rooms.js has no description of ${folder}`);
}

/** The comment on an export: its first sentence. @param {string} path @param {string} name */
function docOf(path, name) {
  const text = readFileSync(join(root, path), 'utf8');
  const comment = new RegExp(
    `/\\*\\*((?:(?!\\*/)[^])*)\\*/\\s*export (?:async )?(?:function|const|interface|class|type) ${name}\\b`,
  );
  const doc = comment
    .exec(text)?.[1]
    ?.replaceAll(/^\s*\* ?/gm, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  if (!doc) throw new Error(`${path} has no comment on ${name} (scripts/docs-rooms.js shows it)`);
  const [first = ''] = /^.*?[.:;](?=\s|$)/.exec(doc) ?? [doc];
  return first.replace(/[:;]$/, '.');
}

/** @param {string} folder */
function implementationsIn(folder) {
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.ts') && !/^index\.ts$|\.test\.ts$/.test(name))
    .map((name) => `\`${name.replace(/\.ts$/, '')}\``)
    .join(', ');
}

/** @param {string} folder */
function foldersIn(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
}
