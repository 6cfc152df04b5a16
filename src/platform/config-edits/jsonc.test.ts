import { describe, expect, test } from 'vitest';
import { jsonc } from './jsonc.ts';

const entry = { command: 'zoo', args: ['mcp'] };
const path = ['mcpServers', 'agent-zoo'];

const cases: [name: string, before: string, after: string][] = [
  [
    'an empty file',
    '',
    '{\n  "mcpServers": {\n    "agent-zoo": {\n      "command": "zoo",\n      "args": ["mcp"]\n    }\n  }\n}\n',
  ],
  [
    'tabs, and a comment behind the last entry',
    '{\n\t// mine\n\t"theme" : "dark" // stays dark\n}\n',
    '{\n\t// mine\n\t"theme" : "dark", // stays dark\n\t"mcpServers": {\n\t\t"agent-zoo": {\n\t\t\t"command": "zoo",\n\t\t\t"args": ["mcp"]\n\t\t}\n\t}\n}\n',
  ],
  [
    'trailing commas and odd spacing',
    '{ "mcpServers" :\n    {\n        "other": {"command":"x",   "args":[ ]}, /* kept */ // too\n    },\n}',
    '{ "mcpServers" :\n    {\n        "other": {"command":"x",   "args":[ ]}, /* kept */ // too\n        "agent-zoo": {\n            "command": "zoo",\n            "args": ["mcp"]\n        },\n    },\n}',
  ],
  [
    'one line',
    '{"a":{"b":[1,2]},"mcpServers":{"x":{"command":"y"}}}',
    '{"a":{"b":[1,2]},"mcpServers":{"x":{"command":"y"},"agent-zoo":{"command":"zoo","args":["mcp"]}}}',
  ],
  [
    'one line with nothing but a comment',
    '{"mcpServers": { /* none, yet */ }}',
    '{"mcpServers": { /* none, yet */"agent-zoo":{"command":"zoo","args":["mcp"]} }}',
  ],
  [
    'lines with nothing but a comment',
    '{\n  "mcpServers": {\n    // none, yet\n  }\n}\n',
    '{\n  "mcpServers": {\n    // none, yet\n    "agent-zoo": {\n      "command": "zoo",\n      "args": ["mcp"]\n    }\n  }\n}\n',
  ],
  [
    'line ends of Windows',
    '{\r\n    "mcpServers": {\r\n        "x": {}\r\n    }\r\n}\r\n',
    '{\r\n    "mcpServers": {\r\n        "x": {},\r\n        "agent-zoo": {\r\n            "command": "zoo",\r\n            "args": ["mcp"]\r\n        }\r\n    }\r\n}\r\n',
  ],
  [
    'servers of which there are none',
    '{\n  "mcpServers": {},\n  "z": 1\n}\n',
    '{\n  "mcpServers": {\n    "agent-zoo": {\n      "command": "zoo",\n      "args": ["mcp"]\n    }\n  },\n  "z": 1\n}\n',
  ],
];

describe.each(cases)('in %s', (_name, before, after) => {
  test('the entry is added in the style of the file', () => {
    expect(jsonc.patch(before, path, entry)).toBe(after);
  });

  test('writing it again changes nothing', () => {
    expect(jsonc.patch(after, path, entry)).toBe(after);
  });

  test('removing it removes nothing else', () => {
    expect(jsonc.parse(jsonc.remove(after, path))).toEqual({ mcpServers: {}, ...jsonc.parse(before) });
  });
});

test.each(cases.filter(([, before]) => before.includes('"mcpServers"')))(
  'in %s, removing the entry restores every byte',
  (_name, before, after) => {
    expect(jsonc.remove(after, path)).toBe(before);
  },
);

test('removing an entry in the middle keeps the comments around it', () => {
  const text =
    '{\n  "mcpServers": {\n    // first\n    "a": {}, // a\n    // ours\n    "agent-zoo": { "command": "zoo" },\n    "b": {} // b\n  }\n}\n';
  expect(jsonc.remove(text, path)).toBe(
    '{\n  "mcpServers": {\n    // first\n    "a": {}, // a\n    // ours\n    "b": {} // b\n  }\n}\n',
  );
});

test('an existing entry is updated and keeps additional keys', () => {
  const text = `{
  "mcpServers": {
    "agent-zoo": {
      // I trust it
      "trust": true,
      "command": "/old/node", // old
      "args": [
        "/old/zoo.js",
        "mcp"
      ],
      "env": { "ZOO_HOME": "/old", "MINE": "1" }
    }
  }
}
`;
  const patch = { command: 'zoo', args: ['mcp'], env: { ZOO_HOME: undefined } };
  expect(jsonc.patch(text, path, patch)).toBe(`{
  "mcpServers": {
    "agent-zoo": {
      // I trust it
      "trust": true,
      "command": "zoo", // old
      "args": ["mcp"],
      "env": { "MINE": "1" }
    }
  }
}
`);
});

test.each([
  ['{\n  "a": 1\n  "b": 2\n}', 3, 'comma expected'],
  ['{\n  "mcpServers": [\n', 3, 'expected'],
  ['[]', 1, 'an object'],
  ['{\n  "mcpServers": []\n}', 2, 'must be an object'],
  ['{\n  "mcpServers": {},\n  "mcpServers": {}\n}', 3, 'duplicate key'],
])('%j is rejected', (text, line, message) => {
  const broken = expect.objectContaining({
    name: 'BrokenConfig',
    line,
    message: expect.stringContaining(message),
  });
  expect(() => jsonc.patch(text, path, entry)).toThrow(broken);
});
