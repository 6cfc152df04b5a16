import { test } from 'vitest';
import { checkLook, LOOKS_MS } from './check-look.ts';
import { openZoo } from './open-zoo.ts';

const files = {
  'zoo.toml':
    '[connectors.filesystem.docs]\nroot = "docs"\n\n[tools.mcp.gone]\ncommand = "no-such-program"\n',
  'docs/deploy.md': '# Deploying\n\nA rollback redeploys the previous tag.\n',
};

/** Each with a text that is there once the page is complete. */
const pages: readonly [path: string, shown: string | RegExp][] = [
  ['/tools', 'agent_zoo_inject'],
  ['/tools?add=true', 'Goes into the zoo.toml of this folder'],
  ['/tools?tool=search', 'Run it'],
  ['/tools?server=gone', 'Log'],
  ['/knowledge?q=rollback', 'Deploying'],
  ['/agent/wizard/tools', /2 tools granted by 2 entries/],
  ['/agent/wizard/knowledge', 'filesystem:docs'],
  ['/agent/wizard/memory', 'We deploy on Tuesdays.'],
  ['/agent/wizard/connect', 'Claude Code'],
  ['/welcome', 'Or describe your own'],
  ['/welcome?agent=wizard', 'Waiting for the first call.'],
];

test(
  'tools, knowledge, memory and clients have no serious findings of axe, and cut off no text',
  async () => {
    await using zoo = await openZoo({ files });
    const { page } = zoo;
    await zoo.home.zoo(['trust', '--yes']);
    await zoo.home.zoo(['sync']);
    await zoo.call('POST', '/api/agents', { id: 'wizard', name: 'Wizard', tools: ['search', 'get'] });
    await zoo.call('POST', '/api/agents/wizard/brain', { type: 'note', content: 'We deploy on Tuesdays.' });
    for (const [path, shown] of pages) {
      await page.goto(zoo.url + path);
      await page.getByText(shown).first().waitFor();
      await checkLook(page);
    }
  },
  LOOKS_MS,
);
