import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { stopWithNpm } from './parent.js';
import { ensureBuilt, ensureInstalled } from './prepare.js';
import { root } from './root.js';

ensureInstalled();
await ensureBuilt();

stopWithNpm();

// The hub runs in this very process: its signals, terminal and exit code need no forwarding.
const command = join(root, 'dist/zoo.js');
process.argv = [process.execPath, command, 'serve', ...process.argv.slice(2)];
await import(pathToFileURL(command).href);
