import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startOAuthServer } from '../upstreams/oauth-server.ts';
import { holdToast, openZoo } from './open-zoo.ts';

/** A real MCP server of the 2025 revisions in a few lines: two tools, one of them with a nested schema. */
const server = `
const tools = [
  { name: 'book', description: 'Books a flight.', annotations: { readOnlyHint: false, destructiveHint: false }, inputSchema: { type: 'object', properties: {
    trip: { $ref: '#/$defs/trip' }, seat: { enum: ['aisle', 'window'] }, bags: { type: 'array', items: { type: 'integer' } }, note: { type: 'string' } },
    required: ['trip'], $defs: { trip: { type: 'object', properties: { from: { type: 'string' }, to: { type: 'string' } }, required: ['from', 'to'] } } } },
  { name: 'look', description: 'Looks at a flight.', annotations: { readOnlyHint: true }, inputSchema: { type: 'object', properties: {} } },
  { name: 'shrug', description: 'Says nothing of itself.', inputSchema: { type: 'object', properties: {} } },
];
console.error('flights are ready');
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result =
    method === 'initialize' ? { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'flights', version: '1' } }
    : method === 'tools/list' ? { tools }
    : method === 'tools/call' ? { content: [{ type: 'text', text: JSON.stringify(params.arguments) }] }
    : null;
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error: { code: -32601, message: 'no' } }) }));
});
`;
const pasted = JSON.stringify(
  { mcpServers: { flights: { command: 'node', args: ['server.cjs'] } } },
  null,
  2,
);

test('pasted servers are shown as a diff, written, approved, and their tool is run', async () => {
  const config = '# mine\n[agents.helper]\nsystem_prompt = "Help."\n';
  await using zoo = await openZoo({ files: { 'zoo.toml': config, 'server.cjs': server }, path: '/tools' });
  const { page } = zoo;
  await page.getByText('No MCP servers yet').waitFor();
  await page.getByRole('button', { name: 'Add servers' }).click();
  const sheet = page.getByRole('dialog', { name: 'Add MCP servers' });
  await sheet.getByRole('textbox', { name: 'Servers' }).fill('{ "mcpServers": ');
  await sheet.getByText(/The pasted text is not valid/).waitFor();
  await sheet.getByRole('textbox', { name: 'Servers' }).fill(pasted);
  await sheet.getByText('[tools.mcp.flights]').waitFor();
  await sheet.getByRole('button', { name: 'Write zoo.toml' }).click();
  await sheet.getByText('Nothing of this runs until you approve it.').waitFor();
  expect(readFileSync(join(zoo.home.work, 'zoo.toml'), 'utf8')).toBe(
    `${config}\n[tools.mcp.flights]\ncommand = "node"\nargs = ["server.cjs"]\n`,
  );
  await sheet.getByRole('button', { name: 'Approve all of it' }).click();
  await sheet.getByRole('button', { name: 'Done' }).click();
  await sheet.waitFor({ state: 'detached' });

  await page.getByRole('button', { name: 'Check all' }).click();
  const row = page.getByRole('listitem').filter({ hasText: 'node server.cjs' });
  await row.getByText('Ready', { exact: true }).waitFor();
  await page.getByRole('link', { name: /flights\.book/ }).click();
  const tool = page.getByRole('dialog', { name: 'flights.book' });
  await tool.getByRole('button', { name: 'Run', exact: true }).click();
  await tool.getByText('Still missing: trip.from, trip.to').waitFor();
  await tool.getByRole('textbox', { name: 'from' }).fill('BER');
  await tool.getByRole('textbox', { name: 'to', exact: true }).fill('LIS');
  await tool.getByRole('combobox', { name: 'seat' }).selectOption('window');
  await tool.getByRole('button', { name: 'Add to bags' }).click();
  await tool.getByRole('textbox', { name: 'bags 1' }).fill('23');
  await tool.getByRole('button', { name: 'Run', exact: true }).click();
  const result = tool.getByRole('region', { name: 'Result' });
  await result.getByText('{"trip":{"from":"BER","to":"LIS"},"seat":"window","bags":[23]}').waitFor();
  await tool.getByRole('textbox', { name: 'to', exact: true }).fill('OPO');
  await tool.getByRole('button', { name: 'Run again' }).click();
  await result.getByText(/"to":"OPO"/).waitFor();
  await tool.getByRole('region', { name: 'Last calls' }).getByText(/OPO/).waitFor();
  await page.reload();
  await tool.getByRole('textbox', { name: 'to', exact: true }).waitFor();
  await expect.poll(() => tool.getByRole('textbox', { name: 'to', exact: true }).inputValue()).toBe('OPO');
});

const files = {
  'zoo.toml':
    '[tools.mcp.flights]\ncommand = "node"\nargs = ["server.cjs"]\n\n[tools.mcp.gone]\ncommand = "no-such-program"\n',
  'server.cjs': server,
};

test('a server is restarted, its log read, switched off and on, and removed with undo', async () => {
  await using zoo = await openZoo({ files });
  const { page } = zoo;
  await zoo.home.zoo(['trust', '--yes']);
  await page.goto(`${zoo.url}/tools`);
  await page.getByRole('button', { name: 'Check all' }).click();
  const broken = page.getByRole('listitem').filter({ hasText: 'no-such-program' });
  const reason = "gone could not be started: command 'no-such-program' not found.";
  await broken.getByText(reason).waitFor();
  const settings = await zoo.openWindow('/settings');
  await settings.getByRole('region', { name: 'Problems' }).getByText(reason).waitFor();
  await settings.close();
  const row = page.getByRole('listitem').filter({ hasText: 'node server.cjs' });
  await row.getByText('Ready', { exact: true }).waitFor();
  await row.getByRole('button', { name: 'Restart' }).click();
  await row.getByRole('link', { name: 'Log and details' }).click();
  const sheet = page.getByRole('dialog', { name: 'flights' });
  await sheet.getByText('flights are ready').waitFor();
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'detached' });

  await row.getByRole('switch', { name: 'Use flights' }).click();
  await row.getByText('Disabled', { exact: true }).waitFor();
  expect(readFileSync(join(zoo.home.work, 'zoo.toml'), 'utf8')).toContain('disabled = true');
  await row.getByRole('switch', { name: 'Use flights' }).click();
  await row.getByText('Disabled', { exact: true }).waitFor({ state: 'detached' });
  expect(readFileSync(join(zoo.home.work, 'zoo.toml'), 'utf8')).toBe(files['zoo.toml']);

  const link = page.getByRole('link', { name: 'gone', exact: true });
  await link.click();
  const gone = page.getByRole('dialog', { name: 'gone' });
  await gone.getByText('The hub looks for commands in these folders').waitFor();
  await gone.getByRole('button', { name: 'Remove from config' }).click();
  const toast = await holdToast(page, 'Removed gone from the config.');
  expect(readFileSync(join(zoo.home.work, 'zoo.toml'), 'utf8')).not.toContain('gone');
  await link.waitFor({ state: 'detached' });
  await toast.getByRole('button', { name: 'Undo' }).click();
  await link.waitFor();
  expect(readFileSync(join(zoo.home.work, 'zoo.toml'), 'utf8')).toBe(files['zoo.toml']);
});

test('a server that requires OAuth is signed in to in the browser, and its tool is run', async () => {
  await using oauth = await startOAuthServer();
  const config = `[tools.mcp.private]\nurl = "${oauth.url}"\n`;
  await using zoo = await openZoo({ files: { 'zoo.toml': config } });
  const { page } = zoo;
  await zoo.home.zoo(['trust', '--yes']);
  await page.goto(`${zoo.url}/tools`);
  await page.getByRole('button', { name: 'Check all' }).click();
  const row = page.getByRole('listitem').filter({ hasText: oauth.url });
  await row.getByText('requires authentication (401)').waitFor();
  await row.getByRole('link', { name: 'Log and details' }).click();
  const sheet = page.getByRole('dialog', { name: 'private' });
  const opened = page.waitForEvent('popup');
  await sheet.getByRole('button', { name: 'Sign in', exact: true }).click();
  const popup = await opened;
  await popup.getByText('You are signed in. You can close this window.').waitFor();
  await popup.close();
  await sheet.getByRole('button', { name: 'Sign out' }).waitFor();
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: /private\.secret/ }).click();
  const tool = page.getByRole('dialog', { name: 'private.secret' });
  await tool.getByRole('button', { name: 'Run', exact: true }).click();
  await tool.getByRole('region', { name: 'Result' }).getByText('for members').waitFor();

  await page.goto(`${zoo.url}/tools?server=private`);
  await sheet.getByRole('button', { name: 'Sign out' }).click();
  await sheet.getByRole('button', { name: 'Sign out' }).waitFor({ state: 'detached' });
  await sheet.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
});

test('tools are searched in all of the catalogue, with badges only where they are declared', async () => {
  await using zoo = await openZoo({ files });
  const { page } = zoo;
  await zoo.home.zoo(['trust', '--yes']);
  await zoo.call('POST', '/api/upstreams/check', { name: 'flights' });
  await page.goto(`${zoo.url}/tools`);
  await page.getByRole('searchbox', { name: 'Search tools' }).fill('flight');
  await page.getByRole('status').getByText('3 tools').waitFor();
  await page
    .getByRole('link', { name: /flights\.book/ })
    .getByText('writes')
    .waitFor();
  await page
    .getByRole('link', { name: /flights\.look/ })
    .getByText('read-only')
    .waitFor();
  await page.getByRole('searchbox', { name: 'Search tools' }).fill('shrug');
  const shrug = page.getByRole('link', { name: /flights\.shrug/ });
  await shrug.waitFor();
  expect(await shrug.textContent()).not.toMatch(/destroys|writes|read-only/);
  expect(new URL(page.url()).searchParams.get('q')).toBe('shrug');
  await page.goto(`${zoo.url}/tools?tool=flights.look`);
  await page.getByRole('dialog', { name: 'flights.look' }).getByText('Looks at a flight.').waitFor();
});
