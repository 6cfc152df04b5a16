import { resolve } from 'node:path';
import { CommanderError } from 'commander';
import type { Command } from 'commander';
import type { Environment } from '../../platform/home/paths.ts';
import { describe, renderFailure, wrongUsage } from './output/failure.ts';
import type { Failure } from './output/failure.ts';
import type { GlobalOption } from './command-declaration.ts';
import { createInvocation } from './invocation.ts';
import type { Invocation } from './invocation.ts';
import { createProgram } from './program.ts';
import type { OtherSurfaces } from './serving/serve-surfaces.ts';
import { guardTerminal } from './output/terminal.ts';
import type { Stream, Terminal } from './output/terminal.ts';

export interface Surroundings {
  env: Environment;
  cwd: string;
  terminal: Terminal<Stream>;
  surfaces: OtherSurfaces;
}

interface GlobalOptions {
  json?: true;
  workspace?: string;
  config?: string;
}

/** Runs one command line and returns its exit code: 0, 1 for a failure, 2 for wrong usage. */
export async function run(argv: readonly string[], surroundings: Surroundings): Promise<number> {
  const { env, cwd, surfaces } = surroundings;
  const terminal = guardTerminal(surroundings.terminal, env);
  let complaint = '';
  const start = (ignored: readonly GlobalOption[] = []): Invocation => {
    const { json = false, workspace, config = env['ZOO_CONFIG'] } = program.opts<GlobalOptions>();
    const useless = ignored.find((name) => program.getOptionValueSource(name) === 'cli');
    if (useless) throw wrongUsage(`--${useless} has no effect on this command`);
    return createInvocation({
      terminal,
      env,
      folder: resolve(cwd, workspace ?? '.'),
      config: config ? resolve(cwd, config) : undefined,
      json,
      surfaces,
    });
  };
  const program = createProgram(
    start,
    {
      writeOut: (text) => terminal.out.write(text),
      writeErr: (text) => void (complaint += text),
      getOutHelpWidth: () => terminal.out.columns,
      // Help below an error is indented.
      getErrHelpWidth: () => terminal.err.columns - 2,
    },
    argv,
  );
  try {
    await program.parseAsync(asHelp(program, argv), { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    let shown = error;
    if (error instanceof CommanderError) {
      const { command, rest } = locate(program, argv);
      if (error.code === 'commander.help' && command === program) {
        terminal.out.write(complaint);
        return 0;
      }
      shown = await explainUsage(error, complaint, command, rest);
    }
    const reported = describe(shown);
    const { isTTY, columns, paint } = terminal.err;
    const json = argv.includes('--json');
    terminal.err.write(renderFailure(reported, { json, columns: isTTY ? columns : Infinity, paint }));
    if (env['ZOO_DEBUG'] && error instanceof Error && error.stack) terminal.err.write(`${error.stack}\n`);
    return reported.exitCode;
  }
}

/** `zoo help agent test` is `zoo agent test --help`: commander's own `help` takes one word only. */
function asHelp(program: Command, argv: readonly string[]): readonly string[] {
  const [first, ...rest] = argv;
  if (first !== 'help' || rest.length === 0) return argv;
  // Reports an unknown command.
  return locate(program, rest).rest === undefined ? [...rest, '--help'] : rest;
}

/** Commander's error in our form. A group without a command prints its help. */
async function explainUsage(
  error: CommanderError,
  complaint: string,
  command: Command,
  rest: string | undefined,
): Promise<Failure> {
  const name = fullName(command);
  const help = `\`${name} --help\` shows the usage`;
  if (error.code === 'commander.help')
    return wrongUsage(`\`${name}\` needs a command\n\n${complaint.trimEnd()}`);
  if (error.code === 'commander.excessArguments' && command.commands.length > 0 && rest !== undefined) {
    const { nearest } = await import('../../contract/nearest.ts');
    const suggestion = nearest(
      rest,
      command.commands.map((child) => child.name()),
    );
    return wrongUsage(
      `unknown command '${rest}'`,
      ...(suggestion ? [`did you mean ${suggestion}?`] : []),
      help,
    );
  }
  const suggestion = /\(Did you mean (.*)\)/.exec(error.message)?.[1];
  const message = plainUsage(error.message.replace(/^error: /, '').replace(/\n\(Did you mean .*\)/, ''));
  const words =
    error.code === 'commander.unknownOption' && command.registeredArguments.some(({ variadic }) => variadic)
      ? [`quote words that start with a dash, or put them after \`${name} --\``]
      : [];
  return wrongUsage(message, ...(suggestion ? [`did you mean ${suggestion}`] : []), ...words, help);
}

/** Commander's messages in plain words: `--limit must be a whole number above 0, not 'x'`. */
function plainUsage(message: string): string {
  const flagOf = (flags: string): string => /--[\w-]+/.exec(flags)?.[0] ?? flags;
  const option = /^option '(.+?)' argument '(.*)' is invalid\. (.*)$/s.exec(message);
  const argument = /^command-argument value '(.*)' is invalid for argument '(.+?)'\. (.*)$/s.exec(message);
  const [name, value, rule] = option
    ? [flagOf(option[1] ?? ''), option[2], option[3]]
    : [argument?.[2], argument?.[1], argument?.[3]];
  if (name !== undefined && rule !== undefined) {
    const allowed = rule
      .replace(/^Allowed choices are /, 'It must be one of ')
      .replace(/^It /, '')
      .replace(/\.$/, '');
    return `${name} ${allowed}, not '${value}'`;
  }
  return message
    .replace(
      /^option '(.+?)' argument missing$/,
      (_, flags: string) => `${flagOf(flags)} needs a value: ${flags}`,
    )
    .replace(/^required option '(.+?)' not specified$/, '$1 is missing')
    .replace(/^missing required argument '(.+)'$/, '<$1> is missing')
    .replace(
      /^too many arguments for '(.+?)'\. Expected (\d+) arguments? but got (\d+)\.$/s,
      'too many arguments: expected $2, got $3',
    );
}

function fullName(command: Command): string {
  return command.parent ? `${fullName(command.parent)} ${command.name()}` : command.name();
}

/** The deepest command that the words name, and the first word that names none. */
function locate(program: Command, argv: readonly string[]): { command: Command; rest: string | undefined } {
  let command = program;
  for (const word of argv) {
    if (word.startsWith('-')) continue;
    const next = command.commands.find((child) => child.name() === word || child.aliases().includes(word));
    if (!next) return { command, rest: word };
    command = next;
  }
  return { command, rest: undefined };
}
