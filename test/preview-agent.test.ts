import { expect, test } from 'vitest';
import { startHub } from './start-hub.ts';

test('a preview is byte for byte what agent_zoo_inject returns once it is saved', async () => {
  await using hub = await startHub();
  const made = await hub.request('POST', '/api/agents', {
    name: 'Wizard',
    systemPrompt: 'Old.',
    skills: [{ id: 'brief', name: 'Be brief', description: 'Few words.' }],
    arguments: [{ name: 'language', required: true }],
  });
  const changes = { systemPrompt: 'Write {{language}} with $& care. 🦊\n', description: 'New' };
  const preview = await hub.request('POST', `/api/agents/${made.body.id}/preview`, { changes });
  expect(preview.body.prompt).toContain('Write {{language}} with $& care. 🦊');
  expect(preview.body.parts.map((part: { kind: string }) => part.kind)).toEqual(['persona', 'skill']);
  for (const { text } of preview.body.parts) expect(preview.body.prompt).toContain(text);
  const saved = await hub.request('GET', `/api/agents/${made.body.id}`);
  expect([saved.body.systemPrompt, saved.body.revision]).toEqual(['Old.', 1]);

  const values = { language: 'Lua' };
  const filled = await hub.request('POST', `/api/agents/${made.body.id}/preview`, {
    changes,
    arguments: values,
  });
  await hub.request('PATCH', `/api/agents/${made.body.id}`, changes);
  const injected = await hub.request('POST', '/tools/agent_zoo_inject', {
    agentId: made.body.id,
    arguments: values,
  });
  expect(injected.body.result.prompt).toBe(filled.body.prompt);
});

test('a preview of a broken draft says what is wrong with it', async () => {
  await using hub = await startHub();
  const made = await hub.request('POST', '/api/agents', { name: 'Wizard' });
  const broken = await hub.request('POST', `/api/agents/${made.body.id}/preview`, {
    changes: { skills: [{ name: 'Lost', categoryId: 'nowhere' }] },
  });
  expect([broken.status, broken.body.error.message]).toEqual([400, expect.stringContaining("'nowhere'")]);
});

test('skills and categories move one at a time, and categories have colours', async () => {
  await using hub = await startHub();
  const skills = ['a', 'b', 'c'].map((id) => ({ id, name: id }));
  const { body: agent } = await hub.request('POST', '/api/agents', {
    name: 'Wizard',
    skills,
    skillCategories: [{ id: 'coding', name: 'Coding' }],
  });
  await hub.request('PATCH', `/api/agents/${agent.id}/skills/c`, { before: 'a', categoryId: 'coding' });
  await hub.request('PATCH', `/api/agents/${agent.id}/categories/coding`, {
    color: 'sea',
    before: 'general',
  });
  const { body } = await hub.request('GET', `/api/agents/${agent.id}`);
  expect(body.skills.map((skill: { id: string }) => skill.id)).toEqual(['c', 'a', 'b']);
  expect(body.skills[0].categoryId).toBe('coding');
  expect(
    body.skillCategories.map((category: { id: string; color?: string }) => [category.id, category.color]),
  ).toEqual([
    ['coding', 'sea'],
    ['general', undefined],
  ]);
});
