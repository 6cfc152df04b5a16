import { afterAll, beforeAll, expect, it } from 'vitest';
import { say, userText } from '../fake-model/script.ts';
import { connect } from '../mcp/mcp-clients.ts';
import { type Stage, stage } from './stage.ts';

const CONFIG = `
[agents.echo]
mode = "tools"
tools = ["sources"]
[[agents.echo.published_tools]]
name = "repeat"
prompt = "<{text}|{destination}|{trip}|{trip.legs.0.to}>"
[agents.echo.published_tools.parameters]
type = "object"
required = ["text"]
[agents.echo.published_tools.parameters.properties]
text = { type = "string" }
destination = { type = "string" }
[agents.echo.published_tools.parameters.properties.trip]
type = "object"
[agents.echo.published_tools.parameters.properties.trip.properties.legs]
type = "array"
items = { type = "object", properties = { to = { type = "string" } } }
`;

const trip = { legs: [{ to: 'Oslo {text}' }, { to: '🦜' }] };

let at: Stage;
beforeAll(async () => {
  at = await stage([{ ...say('ok'), again: true }], CONFIG);
});
afterAll(() => at[Symbol.asyncDispose]());

it.each([
  ['a reference', '{destination}'],
  ['a replacement pattern', "$& $1 $`$'"],
  ['doubled braces', '{{ }} {{text}}'],
  ['quotes and backslashes', `"double" 'single' \\n`],
  ['newlines', 'one\n\ttwo\r\n\r\nthree'],
  ['emoji', '🦜👩‍👩‍👧'],
  ['a megabyte', 'x'.repeat(1_000_000)],
])('%s reaches the model unchanged', async (_what, text) => {
  await using connected = await connect(at.hub, { transport: 'http', era: 'modern' }, { agent: 'echo' });
  const args = { text, destination: 'Rome', trip };
  const { isError } = await connected.client.callTool({ name: 'repeat', arguments: args });
  expect(isError).not.toBe(true);
  const asked = at.model.requests.at(-1);
  const expected = `<${text}|Rome|${JSON.stringify(trip)}|Oslo {text}>`;
  expect((asked && userText(asked)) === expected).toBe(true);
});
