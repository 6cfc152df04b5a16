import { cutOffText, type Run, type RunSummary } from '../../../../contract/run.ts';
import { withClient } from '../../hub-access/with-client.ts';
import { type Invocation, print, say } from '../../invocation.ts';
import { wrongUsage } from '../../output/failure.ts';
import type { Style } from '../../output/paint.ts';
import { firstLine, indent, localTime, renderFacts, shortTime } from '../../render/layout.ts';
import { renderToolAnswer } from '../../render/tool-answer.ts';
import { type Cell, renderTable } from '../../render/table.ts';

export interface RunListOptions {
  agent?: string;
  state?: string;
  limit?: number;
}

const colours: Record<RunSummary['state'], Style | null> = {
  queued: null,
  running: null,
  waiting: 'warning',
  completed: null,
  failed: 'alert',
  cancelled: null,
  interrupted: 'warning',
};
const STATES = Object.keys(colours);

export async function listRuns(call: Invocation, { agent, state, limit }: RunListOptions): Promise<void> {
  const wanted = STATES.find((each): each is RunSummary['state'] => each === state);
  if (state !== undefined && !wanted)
    throw wrongUsage(`--state takes one of ${STATES.join(', ')}, not '${state}'`);
  const answer = await withClient(call, (client) =>
    client.call('listRuns', {
      ...(agent === undefined ? {} : { agent }),
      ...(wanted ? { state: wanted } : {}),
      ...(limit === undefined ? {} : { limit }),
    }),
  );
  print(call, answer, () =>
    renderTable(
      answer.runs.map((run): Cell[] => [
        run.id.slice(0, 8),
        { text: run.state, style: colours[run.state] },
        { text: run.agentId, style: 'bold' },
        shortTime(run.createdAt),
        priceOf(run),
        firstLine(run.prompt, 200),
      ]),
      call,
      {
        columns: [
          {},
          {},
          { max: 24, min: 8, keep: true },
          { optional: true },
          { optional: true },
          { min: 16 },
        ],
      },
    ).join('\n'),
  );
  if (call.json || answer.runs.length > 0) return;
  const filter = [wanted && `in state '${wanted}'`, agent && `of agent '${agent}'`].filter(Boolean).join(' ');
  say(call, filter === '' ? 'No runs yet. `zoo run AGENT "what to do"` starts one.' : `No runs ${filter}.`);
}

export async function showRun(call: Invocation, id: string): Promise<void> {
  const run = await withClient(call, async (client) =>
    client.call('getRun', { id: await fullId(client, id) }),
  );
  print(call, run, () => renderRun(run, call));
}

export async function cancelRun(call: Invocation, id: string): Promise<void> {
  const run = await withClient(call, async (client) =>
    client.call('cancelRun', { id: await fullId(client, id) }),
  );
  const isDone = run.state === 'completed' || run.state === 'failed';
  print(call, run, () =>
    isDone ? `Run ${run.id} had already ended: ${run.state}.` : `Run ${run.id} is ${run.state}.`,
  );
}

export async function resumeRun(call: Invocation, id: string): Promise<void> {
  const run = await withClient(call, async (client) =>
    client.call('resumeRun', { id: await fullId(client, id) }),
  );
  print(call, run, () => `Resumed run ${run.id}. Progress: zoo runs show ${run.id.slice(0, 8)}`);
}

export async function exportRun(call: Invocation, id: string): Promise<void> {
  const { content } = await withClient(call, async (client) =>
    client.call('exportRun', { id: await fullId(client, id), format: call.json ? 'json' : 'markdown' }),
  );
  call.terminal.out.verbatim(content);
}

export async function deleteRun(call: Invocation, id: string): Promise<void> {
  const full = await withClient(call, async (client) => {
    const found = await fullId(client, id);
    await client.call('deleteRun', { id: found });
    return found;
  });
  print(call, { deleted: full }, () => `Run ${full} deleted.`);
}

type Client = Parameters<Parameters<typeof withClient>[1]>[0];

/** A run by a prefix of its id. */
async function fullId(client: Client, id: string): Promise<string> {
  if (id.length >= 36) return id;
  const { runs } = await client.call('listRuns', { limit: 1_000 });
  const matches = runs.filter((run) => run.id.startsWith(id));
  if (matches.length > 1) throw wrongUsage(`'${id}' matches ${matches.length} ids; use more characters`);
  return matches[0]?.id ?? id;
}

function renderRun(run: Run, call: Invocation): string {
  const { paint } = call;
  const facts: [string, string][] = [
    ['Run', run.id],
    ['State', run.state],
    ['Agent', `${run.agentId}${run.agentRevision > 0 ? `, revision ${run.agentRevision}` : ''}`],
    ['Model', run.model ?? 'not chosen yet'],
    ['Asked', `${localTime(run.createdAt)} by ${run.caller} (${run.surface})`],
    [
      'Usage',
      `${run.usage.inputTokens} tokens in (${run.usage.cachedTokens} cached), ${run.usage.outputTokens} out${priceOf(run) ? `, ${priceOf(run)}` : ''}`,
    ],
    ...(run.error ? ([['Error', run.error.message]] satisfies [string, string][]) : []),
  ];
  const steps = run.stepsTaken.flatMap(({ step, messages }) => [
    paint('bold', `Step ${step}`),
    ...messages.flatMap((message) => message.parts.map((part) => indent(partText(part, call.columns - 4)))),
  ]);
  const rest = cutOffText(run);
  return [
    renderFacts(facts, call),
    paint('bold', 'Prompt'),
    indent(run.prompt),
    ...steps,
    ...(rest === '' ? [] : [paint('bold', 'Answer before it was cut off'), indent(rest)]),
  ].join('\n');
}

function partText(
  part: Run['stepsTaken'][number]['messages'][number]['parts'][number],
  width: number,
): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'reasoning':
      return `(thinking) ${part.text}`;
    case 'file':
      return `[${part.mediaType}]`;
    case 'tool-call':
      return `→ ${part.name} ${JSON.stringify(part.input) ?? ''}`;
    case 'tool-result':
    default: {
      const edited = part.editedArguments;
      const answer = `${part.isError ? '✗' : '←'} ${firstLine(renderToolAnswer(part.content), Math.min(200, width))}`;
      return edited ? `  changed by you to ${JSON.stringify(edited)}\n${answer}` : answer;
    }
  }
}

function priceOf({ usage }: RunSummary): string {
  return usage.usd === null || usage.usd === 0 ? '' : `$${usage.usd.toFixed(4)}`;
}
