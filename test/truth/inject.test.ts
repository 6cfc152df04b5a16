import { expect, it } from 'vitest';
import { tempHome } from '../zoo-command.ts';

const LUA = `agent = { description = "d", arguments = { { name = "who", required = true } } }
function agent.resolve(args)
  return { system = "Hello " .. args.who, messages = { { role = "user", content = "Begin with " .. args.who } } }
end
`;

async function inject(home: Awaited<ReturnType<typeof tempHome>>, args: object) {
  const call = ['tools', 'call', 'agent_zoo_inject', '--json', '--json-args', JSON.stringify(args)];
  const { code, out, err } = await home.program(call);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return JSON.parse(out);
}

it('structured inject is the same resolve in another form', async () => {
  await using home = await tempHome({
    'zoo.toml': `[agents.plain]
system_prompt = "You help {{who}}."
[[agents.plain.arguments]]
name = "who"
[[agents.plain.skills]]
name = "Greeting"
description = "Greet {{who}}."
[agents.script.computed]
path = "computed.lua"
`,
    'computed.lua': LUA,
  });
  await home.zoo(['trust', '--yes']);
  await home.zoo(['brain', 'add', 'plain', 'Deploys are on Friday', '--pin']);
  const structured = { format: 'structured', arguments: { who: 'Ada' } };
  expect(await inject(home, { agentId: 'plain', ...structured })).toMatchObject({
    systemPrompt: 'You help Ada.',
    skills: [{ name: 'Greeting', description: 'Greet Ada.' }],
    memory: [expect.stringContaining('Deploys are on Friday')],
  });
  expect(await inject(home, { agentId: 'computed', ...structured })).toMatchObject({
    systemPrompt: 'Hello Ada',
    skills: [],
    messages: [{ role: 'user', content: 'Begin with Ada' }],
  });
  const compiled = await inject(home, { agentId: 'computed', arguments: { who: 'Ada' } });
  expect(compiled.prompt).toContain('Hello Ada\n\n## Opening Messages\n\n[user] Begin with Ada');
});

it('a template beside approved scripts leaves them approved', async () => {
  await using home = await tempHome({
    'zoo.toml': '[agents.script.computed]\npath = "agents/computed.lua"\n',
    'agents/computed.lua': LUA,
  });
  await home.zoo(['trust', '--yes']);
  expect((await home.program(['agent', 'init', 'second', '--lang', 'lua'])).err).toContain('zoo trust');
  expect(await home.program(['agent', 'test', 'computed', '--arg', 'who=Ada'])).toMatchObject({ code: 0 });
});

it('`zoo trust --yes` approves what is on disk, not what the hub read last', async () => {
  await using home = await tempHome({
    'zoo.toml': '[agents.script.computed]\npath = "computed.lua"\n',
    'computed.lua': LUA,
  });
  await home.serve();
  await home.zoo(['trust', '--yes']);
  for (const word of ['Hi', 'Hey', 'Moin', 'Salut', 'Ciao']) {
    await home.write('computed.lua', LUA.replace('Hello', word));
    await home.zoo(['trust', '--yes']);
    const { code, out } = await home.program(['agent', 'test', 'computed', '--arg', 'who=Ada']);
    expect({ code, said: out.includes(`${word} Ada`) }).toEqual({ code: 0, said: true });
  }
});
