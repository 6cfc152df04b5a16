import type { AgentModule } from '../../contract/package/agent-module.ts';
import { AgentId, AgentInput } from '../../contract/agent.ts';
import { ZooError } from '../../contract/errors.ts';
import { SearchQuery } from '../../contract/knowledge.ts';
import { parse } from '../../contract/parsing/parse.ts';
import { isJsonTable } from '../../scripting/json.ts';
import { createModuleContext, type ModuleHost } from '../../scripting/modules/module-context.ts';
import { describeModule, runModule } from '../../scripting/modules/run-module.ts';
import {
  DEFAULT_LIMITS,
  type ScriptHost,
  type ScriptLog,
  type ScriptResult,
} from '../../scripting/sandbox.ts';
import { completeDefinition } from '../definition.ts';
import { fileAgent } from '../file-source.ts';
import type { Program, ProgramCall } from './program.ts';
import { parseFacts } from './script-facts.ts';
import type { SourcedAgent } from '../source.ts';
import { asError } from '../../platform/text/error-message.ts';

/** Agents of the embedding program, visible in every workspace. */
export interface RegisteredAgents {
  /**
   * Returns its id. Throws `invalid_arguments` if it is invalid, `already_exists` if the name is taken.
   */
  register(module: AgentModule, now: Date): string;
  /** A new array after each registration. */
  list(): readonly SourcedAgent[];
}

export function createRegisteredAgents(): RegisteredAgents {
  let agents: readonly SourcedAgent[] = [];
  return {
    list: () => agents,
    register(module, now) {
      const table = describeModule({ agent: module });
      const { value, errors } = parseFacts(isJsonTable(table) ? table : {}, '', 0);
      if (!value || errors.length > 0) throw new ZooError('invalid_arguments', `agent: ${errors.join('; ')}`);
      const id = parse(AgentId, value.name, 'name');
      if (agents.some(({ agent }) => agent.id === id)) {
        throw new ZooError('already_exists', `An agent with the id '${id}' is already registered.`, { id });
      }
      const at = now.toISOString();
      const definition = completeDefinition(parse(AgentInput, value));
      const facts = { id, source: 'typescript', createdAt: at, updatedAt: at } as const;
      const agent = { ...fileAgent(definition, { ...facts, origin: { path: '' } }), origin: null };
      agents = [...agents, { agent, owner: null, trusted: true, program: toProgram(module, at) }];
      return id;
    },
  };
}

/** Runs in this thread, since it is the embedding program's own code. */
function toProgram(module: AgentModule, version: string): Program {
  return {
    version,
    first: 0,
    async run({ args, host, signal, onLog }: ProgramCall): Promise<ScriptResult> {
      const startedAt = performance.now();
      const logs: ScriptLog[] = [];
      const hostCalls: ScriptResult['hostCalls'] = {};
      const late = AbortSignal.timeout(DEFAULT_LIMITS.timeoutMs);
      const over = AbortSignal.any([signal, late]);
      const ctx = createModuleContext(counted(host, over, hostCalls), {
        config: {},
        signal: over,
        log(level, message) {
          const line = { level, message, atMs: performance.now() - startedAt };
          logs.push(line);
          onLog?.(line);
        },
      });
      const ended = new Promise<never>((_resolve, reject) => {
        over.addEventListener('abort', () => reject(late.aborted ? tooLate() : asError(signal.reason)), {
          once: true,
        });
      });
      const value = await Promise.race([runModule({ agent: module }, args, ctx), ended]).catch(
        (error: unknown) => {
          throw error instanceof ZooError || signal.aborted ? asError(error) : crashed(error);
        },
      );
      return { value, logs, hostCalls, tookMs: performance.now() - startedAt };
    },
  };
}

function counted(host: ScriptHost, signal: AbortSignal, calls: ScriptResult['hostCalls']): ModuleHost {
  const count = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const startedAt = performance.now();
    try {
      return await work();
    } finally {
      const known = (calls[`context.${name}`] ??= { count: 0, ms: 0 });
      known.count += 1;
      known.ms += performance.now() - startedAt;
    }
  };
  return {
    search: (query) => count('search', async () => host.search(parse(SearchQuery, query), signal)),
    get: (id) => count('get', () => host.get(id, signal)),
    sources: () => count('sources', () => host.sources(signal)),
  };
}

const tooLate = (): ZooError =>
  new ZooError('timeout', `timed out after ${DEFAULT_LIMITS.timeoutMs / 1000} s`);

function crashed(error: unknown): ZooError {
  const { message, stack = '' } = asError(error);
  const traceback = stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .map((line) => line.trim());
  return new ZooError('agent_error', message, { traceback });
}
