import { expect, it } from 'vitest';
import { stdioServer } from '../upstreams/upstream-servers.ts';
import { tempHome } from '../zoo-command.ts';

const VALUE = 'correct-horse-battery-9';

/** Prints its environment and arguments, padded so that a cut would fall into the middle of the secret. */
const leaky = `
const all = [process.env.PLAIN, ...process.argv.slice(1)].join(' ');
console.error('x'.repeat(285) + all);
console.error(('y'.repeat(700) + process.env.PLAIN).repeat(20));
process.exit(3);`;

it('a failing server shows no value of a variable, whatever its field is called', async () => {
  const config = stdioServer('leaky', ['-e', leaky, '${HIDDEN_KEY}'], 'env = { PLAIN = "${HIDDEN}" }');
  await using home = await tempHome({
    'zoo.toml': `${config}[tools.mcp.far]\nurl = "http://127.0.0.1:1/mcp?q=\${HIDDEN}"\n`,
  });
  const env = { HIDDEN: VALUE, HIDDEN_KEY: VALUE };
  await home.zoo(['trust', '--yes'], { env });
  for (const args of [
    ['tools', 'status', 'leaky'],
    ['tools', 'status', '--json'],
    ['tools', 'call', 'leaky.anything'],
    ['tools', 'call', 'far.anything'],
  ]) {
    const { out, err } = await home.zoo(args, { env });
    // Nor a part of it that is long enough to be of use.
    expect(out + err).not.toMatch(/correct-h|horse-b|battery/);
  }
});
