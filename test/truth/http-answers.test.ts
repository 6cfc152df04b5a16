import { expect, it } from 'vitest';
import * as z from 'zod';
import { api } from '../../src/contract/api.ts';
import type { Operation } from '../../src/contract/table/operation.ts';
import { startHub } from '../start-hub.ts';

/** Words of validators and programs that no caller should have to read. */
const RAW =
  /Invalid input|Invalid option|expected \w+, received|Unrecognized key|Too (?:small|big)|must NOT|must be (?:string|integer|object|array)\b|invalid_type|ZodError|is invalid$|invalid key|unknown form|undefined|\[object|\n\s+at /;

/** Values of several kinds; most are wrong for any field. */
const VALUES: readonly unknown[] = [5, { zzz: 1 }];

interface Case {
  method: string;
  path: string;
  body?: string;
  type?: string;
}

const fieldsOf = (schema: unknown): string[] => {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape);
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(fieldsOf);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return fieldsOf(schema.unwrap());
  return [];
};

/** Wrong requests for an operation: ids, query, body, type and method. */
function casesOf({ method, path, query, body }: Operation): Case[] {
  const filled = path.replaceAll(/\{\w+\}/g, 'nobody');
  const one = (more: Partial<Case> = {}): Case => ({ method, path: filled, ...more });
  const queries = fieldsOf(query).flatMap((field) => ['zzz', '-1'].map((value) => `${field}=${value}`));
  const bodies = fieldsOf(body).flatMap((field) => VALUES.map((value) => JSON.stringify({ [field]: value })));
  return [
    one({ path: `${filled}?qq=1` }),
    ...(filled === path ? [] : [one({ path: path.replaceAll(/\{\w+\}/g, '%20') }), one()]),
    ...queries.map((search) => one({ path: `${filled}?${search}` })),
    one({ method: method === 'PUT' ? 'PATCH' : 'PUT', body: '{}' }),
    ...(body
      ? ['', '{', '[]', '"zzz"', 'null', '{}', '{"zzz": 1}', ...bodies].map((text) => one({ body: text }))
      : []),
    ...(body ? [one({ body: 'name: x', type: 'text/plain' })] : []),
  ];
}

it('every operation explains wrong requests in its own words', async () => {
  await using hub = await startHub({ 'zoo.toml': '[agents.fixer]\nsystem_prompt = "Fix."\n' });
  const send = async ({ method, path, body, type = 'application/json' }: Case): Promise<string> => {
    const headers = body === undefined ? {} : { 'content-type': type };
    const { status, body: answer } = await hub.request(method, path, body, headers);
    const message = status < 400 ? '' : String(answer.error?.message);
    return `${status} ${method} ${path} ${body ?? ''} => ${message}`;
  };
  // Streams have no end, and the hub has to stay.
  const operations = Object.entries<Operation>(api).filter(
    ([name, { kind }]) => kind === 'unary' && name !== 'stop',
  );
  const said: string[] = [];
  for (const [, operation] of operations) said.push(...(await Promise.all(casesOf(operation).map(send))));
  expect(said.filter((text) => RAW.test(text))).toEqual([]);
  // The agent that a request has created needs a model.
  expect(said.filter((text) => /^5(?!03 POST \/api\/chats)/.test(text))).toEqual([]);

  const near = await send({ method: 'GET', path: '/api/agents/fixr' });
  expect(near).toContain("Did you mean 'fixer'?");
  const big = JSON.stringify({ name: 'x'.repeat(2_000_000) });
  expect(await send({ method: 'POST', path: '/api/agents', body: big })).toMatch(
    /^413 .* larger than \d+ bytes$/,
  );
  expect(
    await send({ method: 'POST', path: '/api/config/preview', body: '{"change":{"kind":"zzz"}}' }),
  ).toContain('change.kind must be one of "paste-servers", ');
});
