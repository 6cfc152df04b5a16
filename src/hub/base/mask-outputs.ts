import * as z from 'zod';
import { ZooError } from '../../contract/errors.ts';
import type { ToolCall } from '../../contract/tool.ts';
import type { Log } from '../../platform/home/log.ts';
import type { SecretMask } from '../../platform/text/secret-mask.ts';
import type { Offers } from '../offers/offers.ts';

/** Masks secrets in everything that these functions return, stream or throw, unless a call is exempt. */
export function maskOutputs<T extends object>(
  target: T,
  mask: SecretMask,
  isExempt: (name: string, args: readonly unknown[]) => boolean = () => false,
): T {
  return new Proxy(target, {
    get(from, name) {
      const member: unknown = Reflect.get(from, name);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]): unknown => {
        const result: unknown = Reflect.apply(member, from, args);
        if (typeof name === 'string' && isExempt(name, args)) return result;
        if (result instanceof Promise) return maskPromise(result, mask);
        return isStream(result) ? maskStream(result, mask) : mask.value(result);
      };
    },
  });
}

/**
 * Operations that return stored data as written: the operator edits definitions and writes them back, and a mask would
 * be saved. A mask in a part of a backup would break the file.
 */
const EDITED_RESULTS: ReadonlySet<string> = new Set([
  'getAgent',
  'getRevision',
  'getSkill',
  'getCategory',
  'getPublishedTool',
  'listSkills',
  'listCategories',
  'listPublishedTools',
  'readBackup',
]);

const OperatorCall = z.looseObject({
  caller: z.looseObject({ kind: z.literal('operator') }),
  agent: z.null(),
});

/** Only the operator edits definitions, and not on behalf of an agent. */
export function isEdited(operation: string, args: readonly unknown[]): boolean {
  return EDITED_RESULTS.has(operation) && OperatorCall.safeParse(args.at(-1)).success;
}

/** Offers also report while they run: progress, logs and questions to the client. */
export function maskOffers(offers: Offers, mask: SecretMask): Offers {
  const masked = (call: ToolCall): ToolCall => ({
    ...call,
    progress: (done, total, message) =>
      call.progress(done, total, message === undefined ? undefined : mask.text(message)),
    elicit: (message, schema) => call.elicit(mask.text(message), mask.value(schema)),
    ask: (questions) => call.ask(mask.value(questions)),
    log: (level, message) => call.log(level, mask.text(message)),
  });
  const reporting: Offers = {
    ...offers,
    callTool: (name, args, call) => offers.callTool(name, args, masked(call)),
    getPrompt: (name, args, call) => offers.getPrompt(name, args, masked(call)),
  };
  return maskOutputs(reporting, mask, (name) => name === 'watchResource');
}

export function maskLog(log: Partial<Log>, mask: SecretMask): Partial<Log> {
  const line =
    (level: keyof Log) =>
    (message: string, fields: Record<string, unknown> = {}): void =>
      log[level]?.(mask.text(message), maskFields(fields, mask));
  return { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') };
}

function maskFields(fields: Record<string, unknown>, mask: SecretMask): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(mask.value(fields)).map(([name, value]) => [
      name,
      value instanceof Error ? maskThrown(value, mask) : value,
    ]),
  );
}

const maskPromise = async (result: Promise<unknown>, mask: SecretMask): Promise<unknown> => {
  try {
    return mask.value(await result);
  } catch (error) {
    throw maskThrown(error, mask);
  }
};

async function* maskStream(items: AsyncIterable<unknown>, mask: SecretMask): AsyncIterable<unknown> {
  try {
    for await (const item of items) yield mask.value(item);
  } catch (error) {
    throw maskThrown(error, mask);
  }
}

const isStream = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;

/** Also masks the stack, which is logged and contains the message. */
function maskThrown(error: unknown, mask: SecretMask): unknown {
  if (!(error instanceof Error) || mask.values().length === 0) return error;
  const shown =
    error instanceof ZooError
      ? new ZooError(error.code, mask.text(error.message), mask.value(error.details))
      : error;
  if (shown === error) shown.message = mask.text(error.message);
  if (error.stack !== undefined) shown.stack = mask.text(error.stack);
  return shown;
}
