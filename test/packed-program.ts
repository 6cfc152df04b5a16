/** What a program that has the package installed may look like; `packed.test.ts` compiles and runs it. */
export const PROGRAM = `
import { createHub, defineAgent, runServer } from 'agent-zoo';
import { defineAgent as define, type ModuleContext } from 'agent-zoo/agent';

const schema = {
  '~standard': {
    version: 1,
    vendor: 'own',
    validate: (value: unknown) => ({ value: value as { count: number } }),
    // Standard Schema has types that exist for the compiler alone.
    types: undefined as unknown as { input: { count?: number }; output: { count: number } },
  },
} as const;

const helper = defineAgent({
  name: 'inner',
  description: 'Helps',
  arguments: [{ name: 'who', required: true }],
  async resolve(args, ctx: ModuleContext) {
    const hits = await ctx.search('anything', { limit: 1 });
    const who: string | undefined = args.who;
    ctx.log.info('asked');
    return { system: \`You help \${who} with \${hits.length} documents.\`, messages: [{ role: 'user', content: 'Hi' }] };
  },
});
const typed = define({
  name: 'typed',
  arguments: schema,
  argumentList: [{ name: 'count' }],
  resolve(args) {
    const count: number = args.count;
    // @ts-expect-error there is no such argument
    void args.other;
    return { system: String(count) };
  },
});

const home = process.env['ZOO_HOME']!;
const hub = await createHub({ home: home + '-embedded', agents: [helper] });
await hub.register(typed);
const names = (await hub.agents()).map(({ name }) => name);
const { system } = await hub.resolve('inner', { who: 'Ada' });
await hub.close();

const server = await runServer({ home, port: 0, agents: [helper, typed] });
const answer = await fetch(server.url + '/agents/typed/prompt', {
  method: 'POST',
  headers: { authorization: 'Bearer ' + server.token, 'content-type': 'application/json' },
  body: JSON.stringify({ arguments: { count: 3 } }),
});
const prompt: unknown = await answer.json();
await server.close();
await server.closed;
console.log(JSON.stringify({ names, system, prompt }));
`;

export const MODULE = `
import { defineAgent } from 'agent-zoo/agent';
export default defineAgent({ name: 'module', resolve: () => ({ system: 'You are a module.' }) });
`;
