import { ensureBuilt, ensureInstalled } from './prepare.js';

ensureInstalled();
await ensureBuilt({ fresh: true });
