import { run } from './surfaces/cli/run.ts';
import { processTerminal } from './surfaces/cli/output/terminal.ts';
import { surfaces } from './wiring.ts';

// A reader may close our output early (`zoo agent list | head`), which is not a failure.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
}

async function main(): Promise<void> {
  const { env } = process;
  const surroundings = { env, cwd: process.cwd(), terminal: processTerminal(env), surfaces };
  const code = await run(process.argv.slice(2), surroundings);
  // Everything has been closed by now; a handle that lingers must not keep a command alive.
  process.stdout.write('', () => process.stderr.write('', () => process.exit(code)));
}

// Without `await`, the entry may also be bundled as CommonJS, which starts without the loader of ES modules.
void main();
