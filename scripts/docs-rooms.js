import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.js';

/** @type {Record<string, [name: string, file: string, purpose: string]>} what to read first, and what a room is for */
const rooms = {
  contract: ['api', 'api.ts', 'everything that crosses an edge, as schemas; also runs in the browser'],
  platform: [
    'Database',
    'database.ts',
    'the machine: config, paths, log, store, threads, tokens, trust, files that change',
  ],
  scripting: ['Sandbox', 'sandbox.ts', 'what runs scripts in Lua, as guests, and modules in TypeScript'],
  registry: [
    'Registry',
    'registry.ts',
    'agents: where they come from, which one is served, what they resolve to',
  ],
  knowledge: ['', '', 'documents: where they come from, and how they are found'],
  tools: ['expandScope', 'scope.ts', 'what models can call, and which agent may'],
  runner: ['', '', 'the model loop'],
  teams: ['', '', 'agents that work together'],
  hub: ['Hub', 'hub.ts', 'wires the rooms, and implements every operation'],
  'surfaces/http': ['createHttpApp', 'app.ts', 'HTTP, and the page'],
  'surfaces/cli': ['createProgram', 'program.ts', 'the command line'],
  'surfaces/mcp': [
    'createServer',
    'create-server.ts',
    'MCP: the offers of the hub over HTTP and streams, and the bridge',
  ],
  'surfaces/a2a': ['', '', 'A2A'],
};

/** The rooms that there are, in the order in which they may import one another. */
export function renderRooms() {
  const found = foldersIn('src').flatMap((name) =>
    name === 'surfaces' ? foldersIn('src/surfaces').map((surface) => `surfaces/${surface}`) : [name],
  );
  const unknown = found.filter((room) => !(room in rooms));
  if (unknown.length > 0)
    throw new Error(`scripts/docs-rooms.js does not say what ${unknown.join(', ')} is for`);
  const rows = Object.keys(rooms)
    .filter((room) => found.includes(room))
    .flatMap(renderRoom);
  const client = `| \`client.ts\` | the operations over a transport that is handed in; knows \`contract/\` alone | ${docOf('src/client.ts', 'createClient')} |`;
  return ['| | what is in it | to begin with |', '| --- | --- | --- |', ...rows, client].join('\n');
}

/** @param {string} room @returns {string[]} */
function renderRoom(room) {
  const [name, file, purpose] = rooms[room] ?? ['', '', ''];
  const start = file ? `[\`${file}\`](../src/${room}/${file}): ${docOf(`src/${room}/${file}`, name)}` : '';
  return [
    `| **\`${room}/\`** | ${purpose} | ${start} |`,
    ...foldersIn(`src/${room}`)
      .filter((folder) => existsSync(join(root, 'src', room, folder, 'index.ts')))
      .map((folder) => `| \`${room}/${folder}/\` | ${implementationsIn(`src/${room}/${folder}`)} | |`),
  ];
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
