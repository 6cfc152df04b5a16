import { expect, test } from 'vitest';
import { startHub } from './start-hub.ts';

test('files are read into agents and skills without saving them, with what is lost and which ids are taken', async () => {
  await using hub = await startHub({ 'zoo.toml': '[agents.helper]\nsystem_prompt = "From a file"\n' });
  await hub.request('POST', '/api/agents', { id: 'reviewer', name: 'Reviewer' });
  await hub.request('POST', '/api/agents', { id: 'gone', name: 'Gone' });
  await hub.request('DELETE', '/api/agents/gone');
  const files = [
    { path: '.claude/agents/reviewer.md', text: '---\nname: reviewer\ndescription: Reviews\n---\nReview.\n' },
    {
      path: 'zoo.toml',
      text: '[agents.helper]\nsystem_prompt = "Other"\n[agents.gone]\n[server]\nbind = "x"\n',
    },
    { path: 'book.json', text: '{"metadata": {"name": "Trips", "tools": []}}' },
    { path: 'skills/tidy/SKILL.md', text: '---\nname: tidy\ndescription: Tidy up\n---\n' },
    { path: 'broken.json', text: '{"name": ' },
    { path: 'photo.png', text: '' },
  ];
  const { status, body } = await hub.request('POST', '/api/agent-files', { files });
  expect(status).toBe(200);
  const rows: { file: string; id: string | null; taken: string | null }[] = body.agents;
  expect(rows.map(({ file, id, taken }) => ({ file, id, taken }))).toEqual([
    { file: '.claude/agents/reviewer.md', id: 'reviewer', taken: 'editor' },
    { file: 'zoo.toml', id: 'helper', taken: 'file' },
    { file: 'zoo.toml', id: 'gone', taken: 'deleted' },
    { file: 'book.json', id: null, taken: null },
  ]);
  expect(body.agents[3].input).toMatchObject({ name: 'Trips', mode: 'tools' });
  expect(body.skills).toMatchObject([{ file: 'skills/tidy/SKILL.md', name: 'tidy' }]);
  expect(body.diagnostics).toMatchObject([
    { file: 'zoo.toml', message: '[server] is not an agent and was not imported' },
    { file: 'broken.json', severity: 'error', code: 'syntax' },
    { file: 'photo.png', code: 'not-an-agent' },
  ]);
  expect((await hub.request('GET', '/api/agents')).body.total).toBe(3);
});

test('the source of an agent in a file is served, and one in the editor has none', async () => {
  const text = '[agents.helper]\nsystem_prompt = "From a file"\n';
  await using hub = await startHub({ 'zoo.toml': text });
  await hub.request('POST', '/api/agents', { id: 'mine', name: 'Mine' });
  expect((await hub.request('GET', '/api/agents/helper/source')).body).toMatchObject({
    source: 'toml',
    text,
  });
  expect((await hub.request('GET', '/api/agents/mine/source')).status).toBe(400);
});

test('a revision gets a label, which its history shows', async () => {
  await using hub = await startHub();
  await hub.request('POST', '/api/agents', { id: 'mine', name: 'Mine' });
  await hub.request('PATCH', '/api/agents/mine', { description: 'Changed' });
  const label = (revision: number, value: string | null) =>
    hub.request('PATCH', `/api/agents/mine/history/${revision}`, { label: value });
  expect((await label(1, 'Before the rewrite')).body).toMatchObject({ label: 'Before the rewrite' });
  const { revisions } = (await hub.request('GET', '/api/agents/mine/history')).body;
  expect(revisions).toMatchObject([{ label: null }, { label: 'Before the rewrite' }]);
  expect((await label(1, null)).body).toMatchObject({ label: null });
  expect((await label(7, 'x')).status).toBe(404);
  expect((await label(1, '')).status).toBe(400);
});

test('enabling a skill enables what it requires, and a prompt without it says so', async () => {
  await using hub = await startHub();
  const skills = [
    { id: 'tests', name: 'Test first', enabled: false },
    { id: 'tdd', name: 'TDD', enabled: false, requires: ['tests'] },
  ];
  await hub.request('POST', '/api/agents', { id: 'mine', name: 'Mine', systemPrompt: 'Hi.', skills });
  const enable = (id: string, enabled: boolean) =>
    hub.request('PATCH', `/api/agents/mine/skills/${id}`, { enabled });
  expect((await enable('tdd', true)).body).toMatchObject({ enabled: true, requires: ['tests'] });
  expect((await hub.request('GET', '/api/agents/mine/skills/tests')).body).toMatchObject({ enabled: true });
  await enable('tests', false);
  const { body } = await hub.request('POST', '/agents/mine/prompt', {});
  expect(body.result.receipt.warnings).toContain("Skill 'TDD' requires 'Test first', which is disabled.");
});

test('a backup is made, read in parts and restored, and the restore can be taken back', async () => {
  await using hub = await startHub();
  await hub.request('POST', '/api/agents', { id: 'first', name: 'First' });
  const made = (await hub.request('POST', '/api/backups')).body;
  expect(made.bytes).toBeGreaterThan(1000);
  await hub.request('POST', '/api/agents', { id: 'second', name: 'Second' });
  const part = (await hub.request('GET', `/api/backups/${made.name}`)).body;
  expect(Buffer.from(part.data, 'base64').toString('latin1')).toMatch(/^SQLite format 3/);
  expect(part.next).toBeNull();
  const { previous } = (await hub.request('POST', `/api/backups/${made.name}/restore`)).body;
  await expect.poll(async () => (await hub.request('GET', '/api/agents/second')).status).toBe(404);
  const names = (await hub.request('GET', '/api/backups')).body.backups.map(
    (each: { name: string }) => each.name,
  );
  expect(names).toContain(previous);
  await hub.request('POST', `/api/backups/${previous}/restore`);
  await expect.poll(async () => (await hub.request('GET', '/api/agents/second')).status).toBe(200);
  expect((await hub.request('GET', '/api/backups/none.db')).status).toBe(400);
  expect((await hub.request('GET', '/api/backups/..%2Fzoo.db')).status).toBe(400);
});
