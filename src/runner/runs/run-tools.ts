import type { Agent } from '../../contract/agent.ts';
import type { CallContext } from '../../contract/call.ts';
import type { RunEvent } from '../../contract/run.ts';
import type { ToolDescriptor } from '../../contract/tool.ts';
import type { Lease } from '../../platform/store/leases.ts';
import { createAskApproval } from '../approvals/ask-approval.ts';
import { canAsk, createAskPerson } from '../approvals/ask-person.ts';
import { createRunWaits } from '../approvals/run-waits.ts';
import type { RunTools } from '../loop/run-parts.ts';
import type { RunBudget } from '../budget/budget.ts';
import { type Approval, approvalFor, offeredTools } from '../permissions.ts';
import type { RunnerOptions, ScopedTools } from '../runner-options.ts';
import type { RunRequest } from './run-request.ts';

export interface RunToolsParts {
  options: RunnerOptions;
  agent: Agent;
  request: RunRequest;
  lease: Lease;
  emit(event: RunEvent): void;
  /** Of the run, on behalf of its agent. */
  context: CallContext;
  budget: RunBudget;
  maxTurns: number;
  /** Called before a change of the run's state, to write what has to come before it. */
  onWrite(): void;
  scoped: ScopedTools;
  /** Those that need no further approval in the run's chat. */
  allowed: Set<string>;
}

/** The tools of the agent's scope, as far as this run may use them. */
export function toolsOfRun(parts: RunToolsParts): RunTools {
  const { options, agent, request, lease, emit, context, budget, maxTurns, onWrite, allowed } = parts;
  const { inScope, shown } = parts.scoped;
  const { id, headless, permissions = {} } = request;
  const rules = {
    toolPermission: permissions.toolPermission ?? agent.toolPermission,
    toolApprovals: { ...agent.toolApprovals, ...permissions.toolApprovals },
  };
  const usable = offeredTools(inScope, rules, { headless });
  const { continued } = options.store;
  const waiting = (run: Lease): Promise<void> => {
    onWrite();
    return options.store.waiting(run);
  };
  const waits = createRunWaits({ waiting, continued }, lease, context.signal);
  const asking = { questions: options.questions, now: options.now, request, waits, emit };
  // `find_tools` and `call_tool` stand for the tools of a large scope, and need no permission of their own.
  const mechanisms = usable.length === 0 ? [] : without(shown, inScope);
  return {
    offered: [...mechanisms, ...without(usable, without(usable, shown))],
    searched: mechanisms.length === 0 ? [] : usable,
    withheld: new Map(
      without(inScope, usable).map((tool) => [tool.name, whyWithheld(tool.name, approvalFor(tool, rules))]),
    ),
    approval(tool) {
      if (mechanisms.includes(tool)) return 'allow';
      const approval = approvalFor(tool, rules);
      return approval === 'ask' && allowed.has(tool.name) ? 'allow' : approval;
    },
    ask: createAskApproval({ options, agent, request, lease, waits, context, emit, allowed }),
    call: (tool, args, { signal, progress, paused = (wait) => wait(), callId, step, isApproved }) => {
      const { tokens, usd } = budget.remaining();
      const ask = createAskPerson(asking, { step, toolCallId: callId, signal });
      // Of the request that started the run; the call has a key and an approval of its own.
      const { requestHash: _hash, attended: _attended, ...own } = context;
      return options.call(tool.name, args, {
        context: {
          ...own,
          signal,
          run: id,
          toolCall: callId,
          ...(headless ? {} : { attended: isApproved || allowed.has(tool.name) ? 'approved' : 'present' }),
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
        ...(canAsk(request) ? { ask: (question) => paused(() => ask(question)) } : {}),
      });
    },
  };
}

function without(tools: readonly ToolDescriptor[], others: readonly ToolDescriptor[]): ToolDescriptor[] {
  const names = new Set(others.map(({ name }) => name));
  return tools.filter(({ name }) => !names.has(name));
}

const whyWithheld = (name: string, approval: Approval): string =>
  approval === 'deny'
    ? `'${name}' is not allowed for this agent.`
    : `'${name}' needs approval, but this run has nobody to ask.`;
