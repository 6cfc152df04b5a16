import { expect, it } from 'vitest';
import { isClientTool } from './client-tools.ts';

it.each(['Read', 'Bash(npm test:*)', 'WebFetch(domain:example.com)', 'mcp__github__search'])(
  'recognises %s as a tool of the client',
  (entry) => expect(isClientTool(entry)).toBe(true),
);

it.each(['search', 'Serach', 'github.*', 'get(', '!Read'])('does not recognise %s', (entry) =>
  expect(isClientTool(entry)).toBe(false),
);
