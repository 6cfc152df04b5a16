import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../test/temp-folder.ts';
import { createHub } from './embed.ts';

test('an agent that a program registers is listed and resolved beside the others, and its name is taken', async () => {
  await using folder = await tempFolder({ 'work/zoo.toml': '[agents.filed]\nsystem_prompt = "F"\n' });
  const hub = await createHub({
    home: join(folder.path, 'home'),
    folder: join(folder.path, 'work'),
    env: { ZOO_CONFIG_DIR: join(folder.path, 'config') },
  });
  try {
    const agent = {
      name: 'brought',
      description: 'from the program',
      arguments: [{ name: 'who', required: true }],
      resolve: (args: Record<string, unknown>) => ({ system: `Hello ${String(args.who)}` }),
    };
    await hub.register(agent);
    const names = (await hub.agents()).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['brought', 'filed']));
    expect(await hub.resolve('brought', { who: 'Ada' })).toMatchObject({ system: 'Hello Ada' });
    await expect(hub.resolve('brought')).rejects.toMatchObject({ code: 'invalid_arguments' });
    await expect(hub.register(agent)).rejects.toMatchObject({ code: 'already_exists' });
    await expect(hub.register({ ...agent, name: 'Not an id' })).rejects.toMatchObject({
      code: 'invalid_arguments',
    });
    await hub.register({ ...agent, name: 'fails', resolve: () => Promise.reject(new Error('no luck')) });
    await expect(hub.resolve('fails', { who: 'x' })).rejects.toThrow(/Agent 'fails' failed: .*no luck/);
  } finally {
    await hub.close();
  }
});
