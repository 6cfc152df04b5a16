import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { tempHome } from '../zoo-command.ts';

type Home = Awaited<ReturnType<typeof tempHome>>;

/** Starts the built program, and asks it as the operator or with another token. */
export async function serving(home: Home) {
  const { url } = await home.serve();
  const operator = (await readFile(join(home.path, 'home/operator-token'), 'utf8')).trim();
  return async (
    method: string,
    path: string,
    { body, token = operator, headers = {} }: { body?: unknown; token?: string; headers?: object } = {},
  ) => {
    const response = await fetch(url.replace(/\/$/, '') + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text,
    };
  };
}
