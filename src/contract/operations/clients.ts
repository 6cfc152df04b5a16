import * as z from 'zod';
import type { Operation } from '../table/operation.ts';

const tag = 'hub';
const unary = { kind: 'unary', tag, access: 'operator' } as const;
const read = { ...unary, method: 'GET', status: 200 } as const;
const params = z.object({ client: z.string() });
const ConfigScope = z.enum(['user', 'project']);

/** When a client last used the hub, by the name that it gives in the handshake. */
export const ClientSighting = z.strictObject({
  name: z.string(),
  /** Null if it is connected to the whole hub. */
  agentId: z.string().nullable(),
  workspace: z.string(),
  firstAt: z.string(),
  lastAt: z.string(),
});
export type ClientSighting = z.infer<typeof ClientSighting>;

/** A program that can be connected to the hub. */
export const ClientStatus = z.strictObject({
  id: z.string(),
  title: z.string(),
  /** Whether it was found on the hub's machine. */
  installed: z.boolean(),
  files: z.array(
    z.strictObject({
      scope: ConfigScope,
      file: z.string(),
      /** Entries of Agent Zoo. */
      connections: z.array(
        z.strictObject({ name: z.string(), agent: z.string().nullable(), off: z.boolean() }),
      ),
      /** Why the file cannot be read. */
      problem: z.strictObject({ line: z.int().nullable(), message: z.string() }).nullable(),
    }),
  ),
  /** Newest first. */
  seen: z.array(ClientSighting),
});
export type ClientStatus = z.infer<typeof ClientStatus>;

/** The entry for a client's config file. */
export const ClientEntry = z.strictObject({
  client: z.string(),
  scope: ConfigScope,
  file: z.string(),
  name: z.string(),
  agent: z.string().nullable(),
  /** For the config file, in its format. */
  snippet: z.string(),
  /** Installs it in one click; null for clients without such links. */
  link: z.string().nullable(),
  /** How to make the client pick it up. */
  next: z.string(),
});
export type ClientEntry = z.infer<typeof ClientEntry>;

export const ClientChange = z.strictObject({
  client: z.string(),
  scope: ConfigScope,
  file: z.string(),
  name: z.string(),
  agent: z.string().nullable(),
  changed: z.boolean(),
  /** The backup copy of the file. */
  backup: z.string().nullable(),
});
export type ClientChange = z.infer<typeof ClientChange>;

const entry = { scope: ConfigScope.optional(), agent: z.string().optional() };

export const operations = {
  listClients: {
    ...read,
    summary: 'List the MCP clients on this machine, how they are connected and when they were last seen',
    path: '/api/clients',
    output: z.strictObject({
      clients: z.array(ClientStatus),
      /** Of programs that are not in the list. */
      others: z.array(ClientSighting),
    }),
    errors: [],
  },
  getClientEntry: {
    ...read,
    summary: 'Get the entry that connects a client to the hub or to one agent',
    path: '/api/clients/{client}/entry',
    params,
    query: z.object(entry),
    output: ClientEntry,
    errors: ['invalid_arguments', 'agent_not_found'],
  },
  connectClient: {
    ...unary,
    summary: "Write that entry into the client's config file; everything else in it stays as it is",
    method: 'POST',
    path: '/api/clients/{client}/connect',
    params,
    body: z.strictObject(entry),
    bodyOptional: true,
    output: ClientChange,
    status: 200,
    errors: ['invalid_arguments', 'agent_not_found', 'conflict'],
  },
  disconnectClient: {
    ...unary,
    summary: "Remove that entry from the client's config file",
    method: 'POST',
    path: '/api/clients/{client}/disconnect',
    params,
    body: z.strictObject(entry),
    bodyOptional: true,
    output: ClientChange,
    status: 200,
    errors: ['invalid_arguments', 'conflict'],
  },
} as const satisfies Record<string, Operation>;
