import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { callContext } from '../../test/call-context.ts';
import { tempFolder } from '../../test/temp-folder.ts';
import { openSqlite } from '../platform/store/databases/index.ts';
import { createAgentStore } from './agent-store.ts';
import { applyPatch, completeDefinition } from './definition.ts';

const context = callContext();
const wizard = completeDefinition({ name: 'Code Wizard', systemPrompt: 'You code.' });
const free = { base: 'Code Wizard', taken: () => false };

async function openStore() {
  const folder = await tempFolder();
  const db = await openSqlite(join(folder.path, 'zoo.db'), { threads: false });
  const store = createAgentStore(db, () => new Date());
  const close = async () => {
    await db.close();
    await folder[Symbol.asyncDispose]();
  };
  return { store, db, [Symbol.asyncDispose]: close };
}

const rename = (name: string) => (definition: typeof wizard) => ({
  definition: applyPatch(definition, { name }),
  value: null,
});

describe('ids', () => {
  it.each([
    ['Code Wizard', 'code-wizard'],
    ['codeWizard v2', 'code-wizard-v2'],
    ['Größe & Maß', 'grosse-mass'],
    ['深圳 助手', 'shen-zhen-zhu-shou'],
    ['Помощник', 'pomoshchnik'],
    ["Parker's agent", 'parkers-agent'],
    ['!!!', 'agent'],
    ['current', 'current-2'],
    ['API', 'api-2'],
  ])('%s gets %s', async (name, id) => {
    await using opened = await openStore();
    const agent = await opened.store.create(wizard, context, { base: name, taken: () => false });
    expect(agent.id).toBe(id);
  });

  it('are unique, also against deleted agents and those in files, and survive a rename', async () => {
    await using opened = await openStore();
    const { store } = opened;
    await store.create(wizard, context, free);
    await store.remove('code-wizard', { context });
    const second = await store.create(wizard, context, {
      base: 'Code Wizard',
      taken: (id) => id === 'code-wizard-2',
    });
    expect(second.id).toBe('code-wizard-3');
    const { agent } = await store.update('code-wizard-3', { action: 'changed', context }, rename('Else'));
    expect(agent).toMatchObject({ id: 'code-wizard-3', name: 'Else' });
    await expect(store.create(wizard, context, { exact: 'code-wizard' })).rejects.toMatchObject({
      code: 'already_exists',
      message: expect.stringContaining('undelete'),
    });
  });
});

describe('revisions', () => {
  it('record what changed, when and through which surface, and can be read later', async () => {
    await using opened = await openStore();
    const { store } = opened;
    await store.create(wizard, context, free);
    const web = callContext({ surface: 'web' });
    await store.update('code-wizard', { action: 'changed', context: web }, rename('Sage'));
    const history = await store.history('code-wizard', { limit: 10 });
    expect(history).toMatchObject([
      { revision: 2, action: 'changed', changes: ['name'], surface: 'web', caller: 'operator' },
      { revision: 1, action: 'created', surface: 'cli' },
    ]);
    expect(await store.revision('code-wizard', 1)).toMatchObject({ name: 'Code Wizard', revision: 1 });
    await expect(store.revision('code-wizard', 9)).rejects.toMatchObject({ code: 'revision_not_found' });
    await store.label('code-wizard', 1, 'As it began', web);
    expect((await store.history('code-wizard', { limit: 10 })).map(({ label }) => label)).toEqual([
      null,
      'As it began',
    ]);
    const unknown = store.label('code-wizard', 9, 'x', web);
    await expect(unknown).rejects.toMatchObject({ code: 'revision_not_found' });
    await expect(store.revision('nobody', 1)).rejects.toMatchObject({ code: 'agent_not_found' });
  });

  it('are not created by an edit that changes nothing', async () => {
    await using opened = await openStore();
    await opened.store.create(wizard, context, free);
    const { agent } = await opened.store.update(
      'code-wizard',
      { action: 'changed', context },
      rename('Code Wizard'),
    );
    expect(agent.revision).toBe(1);
  });

  it('reject a stale write and name both revisions; without a revision the last write wins', async () => {
    await using opened = await openStore();
    const { store } = opened;
    await store.create(wizard, context, free);
    await store.update('code-wizard', { action: 'changed', context, expected: 1 }, rename('A'));
    const stale = store.update('code-wizard', { action: 'changed', context, expected: 1 }, rename('B'));
    await expect(stale).rejects.toMatchObject({ code: 'conflict', details: { current: 2, given: 1 } });
    const { agent } = await store.update('code-wizard', { action: 'changed', context }, rename('C'));
    expect(agent).toMatchObject({ name: 'C', revision: 3 });
  });

  it('lose nothing with fifty concurrent edits of different fields', async () => {
    await using opened = await openStore();
    const { store } = opened;
    const skills = Array.from({ length: 50 }, (_, n) => ({ name: `Skill ${n}`, enabled: false }));
    await store.create(applyPatch(wizard, { skills }), context, free);
    const enable = (n: number) =>
      store.update('code-wizard', { action: 'changed', context }, (definition) => ({
        definition: {
          ...definition,
          skills: definition.skills.map((skill, m) => (m === n ? { ...skill, enabled: true } : skill)),
        },
        value: null,
      }));
    await Promise.all(skills.map((_, n) => enable(n)));
    const agent = await store.get('code-wizard');
    expect(agent?.revision).toBe(51);
    expect(agent?.skills.every((skill) => skill.enabled)).toBe(true);
  });
});

describe('deleting', () => {
  it('is soft, can be undone, and leaves the list', async () => {
    await using opened = await openStore();
    const { store } = opened;
    await store.create(wizard, context, free);
    await store.remove('code-wizard', { context });
    expect(await store.get('code-wizard')).toBeNull();
    expect(await store.list({ deleted: false })).toEqual([]);
    expect(await store.list({ deleted: true })).toMatchObject([
      { id: 'code-wizard', deletedAt: expect.any(String) },
    ]);
    const edit = store.update('code-wizard', { action: 'changed', context }, rename('X'));
    await expect(edit).rejects.toMatchObject({
      code: 'agent_not_found',
      message: expect.stringContaining('undelete'),
    });
    expect(await store.undelete('code-wizard', context)).toMatchObject({ revision: 3, name: 'Code Wizard' });
    expect((await store.history('code-wizard', { limit: 9 })).map(({ action }) => action)).toEqual([
      'undeleted',
      'deleted',
      'created',
    ]);
  });
});
