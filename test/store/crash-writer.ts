import { createHub } from '../../src/hub/create-hub.ts';

/** Edits agents until it is killed, and says each edit that was acknowledged: `agent revision value`. */
const [home = '', threads = '', name = ''] = process.argv.slice(2);
const hub = await createHub({
  home,
  env: { ZOO_CONFIG_DIR: `${home}/config` },
  folder: home,
  threads: threads === 'threads',
});
const context = hub.localContext(await hub.workspaceFor(undefined));
const { operations } = hub;

function acknowledge(line: string): void {
  process.stdout.write(`${line}\n`);
}

for (let n = 0; ; n++) {
  const id = `agent-${Math.floor(Math.random() * 3)}`;
  const value = `${name}-${process.pid}-${n}`;
  const kind = Math.random();
  if (kind < 0.6) {
    const agent = await operations.patchAgent({ id, body: { description: value } }, context);
    acknowledge(`edit ${id} ${agent.revision} ${value}`);
  } else if (kind < 0.8) {
    const skill = await operations.createSkill({ id, body: { name: value } }, context);
    acknowledge(`skill ${id} ${skill.id} ${value}`);
  } else if (kind < 0.9) {
    const entry = await operations.createBrainEntry({ id, body: { type: 'note', content: value } }, context);
    acknowledge(`brain ${id} ${entry.id} ${value}`);
  } else {
    const agent = await operations.createAgent({ body: { name: value } }, context);
    acknowledge(`create ${agent.id} ${agent.revision} ${value}`);
  }
}
