import { createRunner } from '../../src/knowledge/sync/run-syncs.ts';

/** Syncs a folder once, and says a line for every change: `home folder`. */
const [home = '', folder = ''] = process.argv.slice(2);
const runner = createRunner({ index: `${home}/index.db`, cache: `${home}/cache` });
await runner.sync({
  request: {
    sources: [{ owner: null, type: 'filesystem', name: 'notes', folder, config: { root: '.' } }],
    settings: { maxTokens: 200, overlapTokens: 20 },
    full: false,
    dryRun: false,
    changes: true,
  },
  signal: new AbortController().signal,
  runScript: null,
  emit({ type }) {
    if (type === 'change') process.stdout.write('.');
  },
  indexed(_source, { error }) {
    if (error !== null) throw new Error(error);
  },
});
