import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import * as z from 'zod';

const Issues = z.array(
  z.looseObject({
    code: z.string(),
    path: z.array(z.union([z.string(), z.number()])),
    message: z.string(),
    expected: z.string().optional(),
  }),
);

/** The SDK throws invalid parameters as a plain error that holds a list of issues: null for every other error. */
export function invalidParams(error: unknown, method: string, params: unknown): ProtocolError | null {
  if (!(error instanceof Error) || error instanceof ProtocolError || !error.message.startsWith('['))
    return null;
  const issues = Issues.safeParse(parseJson(error.message));
  if (!issues.success) return null;
  const sentences = issues.data.map((issue) => describe(issue, params));
  const message = `Invalid params for ${method}: ${[...new Set(sentences)].join('; ')}.`;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function describe(
  { path, code, expected, message }: z.infer<typeof Issues>[number],
  params: unknown,
): string {
  const [first, ...rest] = path;
  const inParams = first === 'params' ? rest : path;
  const name = inParams.length > 0 ? inParams.join('.') : 'params';
  const value = inParams.reduce<unknown>(valueAt, params);
  if (value === undefined && inParams.length > 0) return `${name} is required`;
  if (code === 'invalid_type' && expected) return `${name} must be ${article(expected)} ${expected}`;
  return `${name}: ${message}`;
}

const valueAt = (value: unknown, key: string | number): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;

const article = (noun: string): string => (/^[aeiou]/.test(noun) ? 'an' : 'a');
