import { expect, test } from 'vitest';
import { widthOf } from '../../src/surfaces/cli/render/table.ts';
import { atTerminal, hasTerminal, plainScreen } from '../at-terminal.ts';
import { tempHome } from '../zoo-command.ts';

const FILES = {
  'zoo.toml': `[connectors.filesystem.docs]
root = "docs"
[agents.incident-responder]
description = "Helps with incidents of a service, from the first alert to the review that follows it, in detail"
tools = ["search", "get", "serch"]
system_prompt = "You respond to an incident of {{service}}."
arguments = [{ name = "service", required = true, description = "the service that the incident is about, by its full name" }]
[tools.mcp.broken]
command = "no-such-command-anywhere"
`,
  'docs/pay.md': `# Payments runbook\n${'Restart payments with systemctl and look at the queue. '.repeat(20)}\n`,
};

/** Every command that prints something and changes little. Prompts and documents are printed as they are. */
const COMMANDS = [
  'trust',
  'status',
  'sync',
  'sources',
  'search payments',
  'search payments --explain',
  'embed status',
  'agent create --name Helper --tool search',
  'agent list',
  'agent show incident-responder',
  'agent test incident-responder',
  'agent test incident-responder --arg service=payments --receipt',
  `agent edit helper --set description=${'long-'.repeat(12)}`,
  `agent edit helper --set description=${'also-long-'.repeat(6)}`,
  'agent diff helper 2 3',
  'agent history helper',
  'agent list --deleted',
  'template list',
  'brain add helper remember-the-milk',
  'brain list helper',
  'tools list',
  'tools status',
  'tools call search',
  'tools call nope',
  'scope show incident-responder',
  'scope explain incident-responder serch',
  'activity',
  'connect',
  'providers',
  'runs list',
  'inbox',
  'token list',
  'secret list',
  'doctor',
  'nonsense',
].map((line) => line.split(' '));

/** Help and errors, in a narrow pane. */
const NARROW = [
  'help',
  'agent --help',
  'agent test --help',
  'connect --help',
  'agent',
  'agent list --source nope',
  'agent show nope',
  'agent create --id x!',
  'config check',
  'tools status',
  'providers',
  'doctor',
].map((line) => line.split(' '));

test('help, errors and tables fit into 40 columns', async () => {
  await using home = await tempHome(FILES);
  const wide: string[] = [];
  for (const args of NARROW) {
    const { out, err } = await home.inProcess(args, { columns: 40 });
    for (const line of plainScreen(out + err).split(/[\r\n]/)) {
      // A path or an id may be longer than the terminal is wide.
      if (widthOf(line) > 40 && /\S\s+\S/.test(line)) wide.push(`zoo ${args.join(' ')}: ${line}`);
    }
  }
  expect(wide).toEqual([]);
});

test.each([80, 120])('no command prints a line wider than %i columns', async (columns) => {
  await using home = await tempHome(FILES);
  await home.zoo(['trust', '--yes']);
  const wide: string[] = [];
  for (const args of COMMANDS) {
    const { out, err } = await home.inProcess(args, { columns });
    const lines = plainScreen(out + err).split(/[\r\n]/);
    for (const line of lines) {
      if (widthOf(line) > columns) wide.push(`zoo ${args.join(' ')}: ${line}`);
    }
  }
  expect(wide).toEqual([]);
});

test.skipIf(!hasTerminal).each([80, 120])(
  'the built program fits its tables into a terminal of %i columns, and colours its errors',
  async (columns) => {
    await using home = await tempHome(FILES);
    await home.zoo(['trust', '--yes']);
    await home.serve();
    const run = (args: readonly string[]) => atTerminal(args, { cwd: home.work, env: home.env, columns });
    for (const args of [['agent', 'list'], ['tools', 'list'], ['tools', 'status'], ['activity']]) {
      const { screen } = await run(args);
      const lines = plainScreen(screen).split('\n');
      expect(lines.filter((line) => widthOf(line) > columns)).toEqual([]);
      expect(lines.length).toBeGreaterThan(1);
    }
    const { screen } = await run(['agent', 'show', 'nope']);
    expect(screen).toContain('\u001b[1;31merror\u001b[22;39m: ');
    expect(screen).toContain('\u001b[1mhint\u001b[22m: ');
    const piped = await home.program(['agent', 'show', 'nope']);
    expect(piped.err).toMatch(/^error: .*\nhint: /);
  },
);
