import type { CallContext } from '../../contract/call.ts';
import type { Diagnostic } from '../../contract/diagnostic.ts';
import { ZooError } from '../../contract/errors.ts';
import type { ResolvedAgent, ScriptTrace } from '../../contract/resolved.ts';
import { diagnose } from '../../platform/config/diagnose.ts';
import type { Log } from '../../platform/home/log.ts';
import type { Program } from '../../registry/programs/program.ts';
import { resolveProgram, type ResolveProgramWith } from '../../registry/programs/resolve-program.ts';
import { failureIn } from '../../scripting/script-entry.ts';
import type { SourcedAgent } from '../../registry/source.ts';

type Asked = Pick<SourcedAgent, 'agent' | 'owner'> & { program: Program };

/** Calls the programs of agents, and keeps their logs and errors. */
export interface ProgramCalls {
  resolve(
    asked: Asked,
    args: Record<string, unknown>,
    context: CallContext,
    options: Omit<ResolveProgramWith, 'signal' | 'onLog'>,
  ): Promise<ResolvedAgent>;
  /** The last error of this version of a program. */
  diagnosticsOf(program: Program | undefined): Diagnostic[];
}

export function createProgramCalls(log: Partial<Log>): ProgramCalls {
  const failures = new WeakMap<Program, Diagnostic>();

  return {
    diagnosticsOf(program) {
      const failure = program && failures.get(program);
      return failure ? [failure] : [];
    },

    async resolve({ agent, program, owner }, args, context, options) {
      const operator = context.caller.kind === 'operator';
      const logs: ScriptTrace['logs'] = [];
      const onLog = (line: ScriptTrace['logs'][number]): void => {
        logs.push(line);
        log[line.level]?.(line.message, { agent: agent.id });
      };
      try {
        const { signal } = context;
        const { trace, ...resolved } = await resolveProgram(agent, program, args, {
          ...options,
          signal,
          onLog,
        });
        failures.delete(program);
        return operator && trace ? { ...resolved, trace } : resolved;
      } catch (error) {
        if (!(error instanceof ZooError) || error.code === 'invalid_arguments') throw error;
        const { message, ...place } = failureIn(agent.origin?.path ?? agent.id, error);
        const hint = '`zoo agent test` shows its log and stack trace.';
        const facts = { ...place, hint, agentId: agent.id, workspace: owner };
        const code = error.code === 'untrusted' ? error.code : 'script-error';
        failures.set(program, diagnose('error', code, message, facts));
        throw told(error, agent.id, operator ? { logs } : null);
      }
    },
  };
}

/** The caller only learns which agent failed; details of its files are for the operator. */
function told(
  { code, message, details }: ZooError,
  id: string,
  more: { logs: ScriptTrace['logs'] } | null,
): ZooError {
  return new ZooError(code, `Agent '${id}' failed: ${message}`, more ? { ...details, id, ...more } : { id });
}
