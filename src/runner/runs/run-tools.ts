import type { Agent } from '../../contract/agent.ts';
import type { CallContext } from '../../contract/call.ts';
import type { RunTools } from '../loop/run-parts.ts';
import type { RunBudget } from '../budget/budget.ts';
import { approvalFor, offeredTools } from '../permissions.ts';
import type { RunnerOptions } from '../runner-options.ts';
import type { RunRequest } from './run-request.ts';

export interface RunToolsParts {
  options: Pick<RunnerOptions, 'tools' | 'call'>;
  agent: Agent;
  request: RunRequest;
  /** Of the run, on behalf of its agent. */
  context: CallContext;
  budget: RunBudget;
  maxTurns: number;
}

/** The tools of the agent's scope, as far as this run may use them. */
export async function toolsOfRun({
  options,
  agent,
  request,
  context,
  budget,
  maxTurns,
}: RunToolsParts): Promise<RunTools> {
  const { id, headless, permissions = {} } = request;
  const rules = {
    toolPermission: permissions.toolPermission ?? agent.toolPermission,
    toolApprovals: { ...agent.toolApprovals, ...permissions.toolApprovals },
  };
  const inScope = await options.tools(context);
  const offered = offeredTools(inScope, rules, { headless });
  const withheld = inScope.filter((tool) => !offered.includes(tool));
  return {
    offered,
    withheld: new Map(
      withheld.map(({ name }) => [name, `'${name}' needs approval, but this run has nobody to ask.`]),
    ),
    approval: (tool) => approvalFor(tool, rules),
    ask: () => Promise.resolve({ decision: 'deny', reason: 'This run has nobody to ask.' }),
    call: (tool, args, { signal, progress, callId, step }) => {
      const { tokens, usd } = budget.remaining();
      return options.call(tool.name, args, {
        context: {
          ...context,
          signal,
          run: id,
          depth: context.depth + 1,
          budget: {
            ...(tokens === undefined ? {} : { tokens }),
            ...(usd === undefined ? {} : { usd }),
            turns: maxTurns - step,
          },
          // The same after a restart: writes of the hub's own tools then happen once.
          idempotencyKey: `run ${id} ${step} ${callId}`,
        },
        progress: (done, total, message) => progress({ done, total, message }),
      });
    },
  };
}
