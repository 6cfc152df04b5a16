import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startFakeModel } from '../fake-model/fake-model.ts';
import { call, say } from '../fake-model/script.ts';
import { tempHome } from '../zoo-command.ts';

const SECRETS = {
  TEAM_NAME: 'plainword',
  PIN_SECRET: '4711',
  LONG: 'sk-0123456789abcdef',
  BASIC: 'user pass&word',
  FROM_ADDRESS: 'hunter22',
};

const CONFIG = `[tools.script.leak]
path = "leak.lua"
team = "\${TEAM_NAME}"
pin = "\${PIN_SECRET}"
anything = "\${LONG}"
other = "\${BASIC}"
[agents.script.leaky]
path = "leaky.lua"
team = "\${TEAM_NAME}"
[agents.caller]
system_prompt = "x"
tools = ["leak", "echo.say", "echo.fail"]
tool_permission = "never"
[tools.mcp.echo]
command = "node"
args = ["echo.js"]
env = { TEAM = "\${TEAM_NAME}", PIN_SECRET = "\${PIN_SECRET}", LONG = "\${LONG}" }
[tools.mcp.broken]
url = "http://user:\${FROM_ADDRESS}@127.0.0.1:9/mcp?q=\${LONG}"
`;

const TOOL = `tool = { description = "d", parameters = { { name = "how" } } }
function tool.execute(args, context)
  local c = context.config
  log.info("log " .. c.team .. " " .. c.pin .. " " .. c.anything .. " " .. c.other)
  if args.how == "fail" then error("failed with " .. c.team .. " " .. c.pin .. " " .. c.anything) end
  return { innocent = c.team, n = c.pin, list = { c.anything, c.other }, [c.team] = 1, [c.pin .. c.anything] = 2 }
end
`;

const AGENT = `agent = { description = "d" }
function agent.resolve(args, config)
  return { system = "The team is " .. config.team, messages = { { role = "user", content = config.team } } }
end
`;

/** A server that tells what it was given, wherever it can: results, errors, descriptions, its own log. */
const SERVER = `const all = [process.env.TEAM, process.env.PIN_SECRET, process.env.LONG].join(' ');
process.stderr.write('starting with ' + all + '\\n');
let rest = '';
process.stdin.on('data', (data) => {
  rest += data;
  const lines = rest.split('\\n');
  rest = lines.pop();
  for (const line of lines) {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) continue;
    const answer = (result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...result }) + '\\n');
    if (method === 'initialize')
      answer({ result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'echo', version: '1' } } });
    else if (method === 'tools/list')
      answer({ result: { tools: [{ name: 'say', description: 'says ' + all, inputSchema: { type: 'object' } }, { name: 'fail', inputSchema: { type: 'object' } }] } });
    else if (method === 'tools/call' && params.name === 'fail') answer({ error: { code: -32000, message: 'failed: ' + all } });
    else if (method === 'tools/call')
      answer({ result: { content: [{ type: 'text', text: Buffer.from(process.env.LONG).toString('base64') + ' ' + all }] } });
    else answer({ error: { code: -32601, message: 'no ' + method } });
  }
});
`;

it('no value of a variable in a secret field leaves the hub, whatever shows it', async () => {
  await using home = await tempHome({
    'zoo.toml': CONFIG,
    'leak.lua': TOOL,
    'leaky.lua': AGENT,
    'echo.js': SERVER,
  });
  await using model = await startFakeModel([
    call('leak'),
    call('leak', { how: 'fail' }),
    call('echo__say'),
    call('echo__fail'),
    say('done'),
    say('done'),
  ]);
  Object.assign(home.env, SECRETS, { ANTHROPIC_API_KEY: SECRETS.LONG, ANTHROPIC_BASE_URL: model.url });
  const { url } = await home.serve();
  await home.zoo(['trust', '--yes']);
  const token = (await readFile(join(home.path, 'home', 'operator-token'), 'utf8')).trim();
  const seen: string[] = [];
  const ask = async (path: string, body?: object): Promise<string> => {
    const response = await fetch(`${url.replace(/\/$/, '')}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await response.text();
    seen.push(text);
    return text;
  };
  const cli = async (...args: string[]): Promise<void> => {
    const { out, err } = await home.zoo(args);
    seen.push(out, err);
  };

  expect(await ask('/tools/leak', {})).toContain('[redacted]');
  await ask('/tools/leak', { how: 'fail' });
  expect(await ask('/agents/leaky/prompt', { arguments: {} })).toContain('The team is [redacted]');
  expect(await ask('/tools/echo__say', {})).toContain('[redacted]');
  await ask('/tools/echo__fail', {});
  await ask('/tools/broken__x', {});
  await ask('/tools/list');
  await ask('/api/upstreams');
  await ask('/api/diagnostics');
  await ask('/api/activity');
  await cli('run', 'caller', 'Hi');
  await cli('run', 'leaky', 'Hi');
  expect(model.requests).toHaveLength(6);
  seen.push(JSON.stringify([model.requests, model.asides]));
  await ask('/api/runs');
  await cli('tools', 'status');
  await cli('tools', 'list');
  await cli('agent', 'test', 'leaky', '--receipt');
  await cli('activity');
  await cli('config', 'check');
  seen.push(await readFile(join(home.path, 'home', 'logs', 'hub.log'), 'utf8'));

  const forms = Object.values(SECRETS).flatMap((secret) => [
    secret,
    encodeURIComponent(secret),
    Buffer.from(secret).toString('base64'),
  ]);
  for (const form of new Set(forms)) {
    // Four digits also occur in times and ids; there they stand inside of longer words.
    const pattern = form === '4711' ? /\b4711\b/ : form;
    const leaks = seen.filter((text) =>
      pattern instanceof RegExp ? pattern.test(text) : text.includes(form),
    );
    expect({ form, leaks }).toEqual({ form, leaks: [] });
  }
});

it('secrets inside of arguments and addresses are not imported', async () => {
  const secrets = ['hunter22-db', 'tok-0123456789', 'key-in-address'];
  const servers = {
    db: { command: 'npx', args: ['pg-mcp', `postgresql://bob:${secrets[0]}@db.example/x`] },
    remote: { command: 'npx', args: ['mcp-remote', '--header', `Authorization: Bearer ${secrets[1]}`] },
    address: { url: `https://api.example/mcp?api_key=${secrets[2]}` },
  };
  await using home = await tempHome({ '.mcp.json': JSON.stringify({ mcpServers: servers }) });
  const { out, err } = await home.zoo(['tools', 'import', '.mcp.json']);
  const config = await readFile(join(home.work, 'zoo.toml'), 'utf8');
  for (const name of Object.keys(servers)) expect(config).toContain(`[tools.mcp.${name}]`);
  for (const secret of secrets) expect(out + err + config).not.toContain(secret);
});
