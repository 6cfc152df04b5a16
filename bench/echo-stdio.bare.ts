import { readFileSync } from 'node:fs';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createEcho } from './echo-server.ts';

/** A bare SDK server over stdio, as small as it gets, bundled as the bridge is. */
const file = process.argv[2];
serveStdio(() => createEcho(file === undefined ? { content: [] } : JSON.parse(readFileSync(file, 'utf8'))));
