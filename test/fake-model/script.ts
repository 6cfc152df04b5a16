import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ModelReply, ModelRequest, OfferedTool } from './wire-format.ts';

/**
 * What the model does when it is asked: one answer, or a function that looks at the request first. The signal aborts
 * when the asker hangs up.
 */
export type Step = Answer | ((request: ModelRequest, hungUp: AbortSignal) => Answer | Promise<Answer>);

export type Answer = Said | Failed;

interface Said {
  /** The next request gets the same step once more. */
  again?: boolean;
  text?: string;
  /** What it thinks first, in the Anthropic format. */
  thought?: string;
  /** `tool` as its server names it: clients put prefixes of their own before it. */
  calls?: { tool: string; arguments: Record<string, unknown>; invented?: true; id?: string }[];
  refused?: true;
  truncated?: true;
  /** The connection breaks after this many events of the stream. */
  cutAfter?: number;
  /** The second event of the stream is not JSON. */
  garbled?: true;
}

interface Failed {
  status: number;
  message: string;
  headers?: Record<string, string>;
}

export const say = (text: string): Said => ({ text });

export const call = (tool: string, args: Record<string, unknown> = {}): Said => ({
  calls: [{ tool, arguments: args }],
});

/** An answer that waits until it is released, so that a call is still under way. */
export function held(text: string): { step: Step; release(): void } {
  const released = new EventEmitter();
  const now = once(released, 'now');
  const step: Step = async () => {
    await now;
    return say(text);
  };
  return { step, release: () => void released.emit('now') };
}

/** As a vendor fails: overloaded, out of quota. */
export const fail = (status: number, message: string, headers: Record<string, string> = {}): Failed => ({
  status,
  message,
  headers,
});

/** Never answers; says when the asker has hung up. */
export function hang(onHungUp: () => void = () => undefined): Step {
  return (_request, hungUp) =>
    new Promise((resolve) => {
      const end = (): void => {
        onHungUp();
        resolve(say('too late'));
      };
      if (hungUp.aborted) end();
      else hungUp.addEventListener('abort', end, { once: true });
    });
}

/** For what a client learns in its own time: does `meanwhile` until a request shows it, then `answer`. */
export function waitFor(
  shown: (request: ModelRequest) => boolean,
  { meanwhile, answer }: { meanwhile: Said; answer: Answer },
): Step {
  let tries = 20;
  return async (request) => {
    tries -= 1;
    if (shown(request) || tries < 0) return answer;
    await sleep(250);
    return { ...meanwhile, again: true };
  };
}

export const isFailure = (answer: Answer): answer is Failed => 'status' in answer;

/** The offered tool that is this one, whatever prefix the client has put before it. */
export function findTool(request: ModelRequest, name: string): OfferedTool | undefined {
  return (
    request.tools.find((tool) => tool.name === name) ??
    request.tools.find((tool) => tool.name.endsWith(`_${name}`) || tool.name.endsWith(`-${name}`))
  );
}

/** What the most recent call gave back. */
export function lastResult(request: ModelRequest): string {
  return request.messages.findLast(({ role }) => role === 'tool')?.text ?? '';
}

/** Everything that was said to the model, results of calls apart. */
export function userText(request: ModelRequest): string {
  return request.messages
    .filter(({ role }) => role === 'user')
    .map(({ text }) => text)
    .join('\n');
}

/** The answer with the tools as they were offered. A model can call no other: then it says so. */
export function resolveAnswer(answer: Said, request: ModelRequest, firstId: number): ModelReply {
  const wanted = (answer.calls ?? []).map((call) => ({
    ...call,
    offered: call.invented ? { name: call.tool, description: '', schema: {} } : findTool(request, call.tool),
  }));
  const missing = wanted.filter(({ offered }) => !offered).map(({ tool }) => tool);
  if (missing.length > 0) {
    const names = request.tools.map(({ name }) => name).join(', ');
    throw new Error(`${missing.join(', ')} was not offered to the model, only ${names || 'nothing'}`);
  }
  return {
    text: answer.text ?? '',
    ...(answer.thought === undefined ? {} : { thought: answer.thought }),
    ...(answer.refused ? { refused: true } : {}),
    ...(answer.truncated ? { truncated: true } : {}),
    calls: wanted.flatMap(({ offered, arguments: args, id }, index) =>
      offered ? [{ id: id ?? `call_${firstId + index}`, tool: offered, arguments: args }] : [],
    ),
  };
}
