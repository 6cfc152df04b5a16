import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from './root.js';

/**
 * A hub on a temporary home and workspace, with agents to look at.
 * @typedef {object} SampleZoo
 * @property {string} url
 * @property {string} token of the operator
 * @property {string} work the folder of the workspace
 * @property {Record<string, string | undefined>} env for commands
 * @property {() => string} loginLink signs one browser in
 * @property {(method: string, path: string, body?: unknown) => Promise<unknown>} send as the operator
 * @property {() => Promise<void>} close
 */

/**
 * @param {Record<string, string>} files of the workspace
 * @param {string} program
 * @param {Record<string, string>} more of the environment
 * @returns {Promise<SampleZoo>}
 */
export async function startZoo(files, program = join(root, 'dist/zoo.js'), more = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'zoo-sample-'));
  const work = join(folder, 'field-notes');
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(work, name)), { recursive: true });
    writeFileSync(join(work, name), text);
  }
  mkdirSync(work, { recursive: true });
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    ZOO_HOME: join(folder, 'home'),
    ZOO_CONFIG_DIR: join(folder, 'config'),
    CI: '1',
    ...more,
  };
  const hub = spawn(process.execPath, [program, 'serve', '--port', '0', '--no-open'], { cwd: work, env });
  /** @type {string} */
  const url = await new Promise((resolve, reject) => {
    let said = '';
    /** @param {string} text */
    const hear = (text) => {
      said += text;
      const found = /running at (http:\S+)/.exec(said)?.[1];
      if (found && said.includes('Ctrl-C')) resolve(found);
    };
    hub.stdout.setEncoding('utf8').on('data', hear);
    hub.stderr.setEncoding('utf8').on('data', hear);
    hub.once('exit', () => reject(new Error(`serve ended: ${said}`)));
  });
  /** @param {string[]} args */
  const zoo = (...args) =>
    execFileSync(process.execPath, [program, ...args], {
      cwd: work,
      env,
      encoding: 'utf8',
      stdio: 'pipe',
    }).trim();
  const token = zoo('token');
  return {
    url,
    token,
    work,
    env,
    loginLink: () => zoo('open'),
    async send(method, path, body) {
      const response = await fetch(url + path, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
      return response.status === 204 ? null : response.json();
    },
    async close() {
      if (hub.exitCode === null) {
        const ended = new Promise((resolve) => hub.once('exit', resolve));
        hub.kill('SIGTERM');
        await ended;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** @type {Record<string, string>} */
export const sampleFiles = {
  'docs/deploy.md':
    '# Deploying\n\nRun `make release`. Rollbacks use the previous tag.\n\n## Rollback\n\nFind the tag with `git describe`, then redeploy it.\n',
  'docs/payments.md':
    '# Payments\n\nRetries use an idempotency key per invoice. A retry after 24 hours needs a new key.\n',
  'zoo.toml': `[agents.oncall]
name = "On-call companion"
description = "Reads the runbooks and says what to try first"
system_prompt = """
You help {{engineer}} through an incident.
Start with the runbook; quote the line you rely on.
"""
tools = ["search", "get"]
[[agents.oncall.arguments]]
name = "engineer"
description = "Who is on call"
required = true
[[agents.oncall.context]]
query = "rollback deploy"
limit = 3

[agents.scribe]
name = "Release scribe"
description = "Turns merged pull requests into release notes people read"
system_prompt = "Write release notes."

[connectors.filesystem.docs]
root = "docs"
`,
  '.claude/agents/reviewer.md':
    '---\nname: reviewer\ndescription: Reviews changes for correctness before style\ntools: Read, Grep\n---\nYou review code. Correctness first, then tests, then names.\n',
};

/** The agents of the editor. */
const sampleAgents = [
  {
    id: 'code-wizard',
    name: 'Code Wizard',
    description: 'Pairs on TypeScript: small steps, tests first',
    systemPrompt:
      'You are a concise coding assistant for {{language}}.\n\nWork in small steps. Run the tests after each.\nAsk before you delete anything.\n',
    arguments: [
      { name: 'language', description: 'What the repository is written in', default: 'TypeScript' },
    ],
    tools: ['search', 'get'],
    skillCategories: [
      { id: 'coding', name: 'Coding' },
      { id: 'manners', name: 'Manners' },
      { id: 'review', name: 'Review' },
    ],
    skills: [
      ['types', 'TypeScript expert', 'Prefer strict types, interfaces over aliases, and no `any`.', 'coding'],
      ['tdd', 'Test first', 'Write a failing test before the fix.', 'coding'],
      ['perf', 'Performance', 'Measure before you optimise; report ratios.', 'coding'],
      ['brief', 'Be brief', 'Answer in at most five sentences unless asked.', 'manners'],
      ['plain', 'Plain English', 'Short words, active verbs.', 'manners'],
      ['security', 'Security review', 'Look for injection and path traversal.', 'review'],
    ].map(([id, name, description, categoryId], index) => ({
      id,
      name,
      description,
      categoryId,
      enabled: index % 3 !== 2,
      ...(id === 'security' ? { requires: ['types'] } : {}),
    })),
  },
  {
    id: 'travel-desk',
    name: 'Travel desk',
    description: 'Books flights and hotels, as tools for others',
    mode: 'tools',
    systemPrompt: 'You book journeys. Confirm the price before you pay.',
    publishedTools: [
      {
        name: 'book_flight',
        description: 'Books a flight ticket for a user.',
        parameters: {
          type: 'object',
          properties: {
            destination: {
              type: 'string',
              description: 'The destination city and country.',
              examples: ['Paris, France'],
            },
            departure_date: {
              type: 'string',
              description: 'The day of departure, as YYYY-MM-DD.',
              examples: ['2026-12-01'],
            },
            cabin: { type: 'string', enum: ['economy', 'business'] },
          },
          required: ['destination', 'departure_date'],
        },
        prompt:
          'The user wants to book a flight to {destination} on {departure_date}, please book accordingly',
      },
      { name: 'find_hotel', description: 'Finds a quiet hotel near a place.', prompt: 'Find a quiet hotel.' },
    ],
  },
  ...[
    ['Documentation Pro', 'Keeps the docs true to the code', 'interactive'],
    ['Night watch', 'Looks after failed builds while you sleep', 'autonomous'],
    ['Gardener', 'Prunes dead code and stale flags', 'interactive'],
    ['Accountant', 'Reads invoices; every figure with its source', 'interactive'],
    ['Cartographer', 'Draws the architecture from the imports it finds', 'interactive'],
    ['Interpreter', 'Translates between the product and the API teams', 'interactive'],
    ['Archivist', 'Finds the decision behind a line of code', 'interactive'],
  ].map(([name, description, mode]) => ({
    name,
    description,
    mode,
    systemPrompt: `You are ${name}. ${description}.`,
  })),
];

/**
 * The agents of the editor, one of them with a second revision, and their work.
 * @param {SampleZoo} zoo
 */
export async function fillZoo(zoo) {
  for (const agent of sampleAgents) await zoo.send('POST', '/api/agents', agent);
  await zoo.send('PATCH', '/api/agents/code-wizard', { description: 'Pairs on TypeScript, tests first' });
  return addSampleWork(zoo);
}

/**
 * Work of a day: a chat with its run, a run by itself, a team, and memories. Needs a model.
 * @param {SampleZoo} zoo with the sample agents
 * @returns {Promise<{ chat: string, run: string, team: string, memory: string }>} the ids
 */
async function addSampleWork(zoo) {
  /** @param {string} path @param {unknown} body */
  const post = async (path, body) => Object(await zoo.send('POST', path, body));
  const [memory] = await Promise.all(
    sampleMemories.map((entry) => post('/api/agents/code-wizard/brain', entry)),
  );
  for (const query of ['rollback', 'idempotency']) await post('/tools/search', { query });
  await post('/tools/get', { id: 'nowhere' }).catch(() => undefined);
  const chat = await post('/api/chats', { agent: 'code-wizard' });
  const { runId } = await post(`/api/chats/${chat.id}/messages`, {
    message: 'The release is broken. How do I roll back?',
  });
  const run = await post('/api/runs', {
    agent: 'archivist',
    prompt: 'Why do retries use an idempotency key?',
  });
  const team = await post('/api/teams', {
    name: 'Release week',
    members: [
      { name: 'lead', harness: 'model', agent: 'gardener', task: 'Plan the clean-up of stale flags.' },
      { name: 'scribe', harness: 'model', agent: 'documentation-pro', task: 'Draft the release notes.' },
    ],
  });
  for (const id of [runId, run.id]) {
    while (!ENDED.has(Object(await zoo.send('GET', `/api/runs/${id}`)).state))
      await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return { chat: chat.id, run: runId, team: team.id, memory: memory.id };
}

const ENDED = new Set(['completed', 'failed', 'cancelled', 'interrupted']);

const sampleMemories = [
  { type: 'decision', content: 'We deploy on Tuesdays, never on Fridays.', pinned: true, tags: ['ops'] },
  { type: 'milestone', content: 'First release with the new billing API.', tags: ['billing'] },
  { type: 'note', content: 'The staging database is reset every night.', tags: ['ops', 'staging'] },
];
