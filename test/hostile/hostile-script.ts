import type { Json } from '../../src/scripting/sandbox.ts';

/** A script that means harm, and how it has to end. */
export interface HostileScript {
  /** What it tries. */
  name: string;
  /** The whole file. */
  lua: string;
  /** It fails as it is read, so a hub has no such agent. */
  unreadable?: true;
  /** How the call ends: with this error, or with a value that shows that nothing was to be had. */
  ends: { error: 'agent_error' | 'timeout'; says?: RegExp } | { value: Json };
}

/** A script whose `resolve` has this body. */
export const resolving = (body: string) => `
agent = { name = "hostile" }
function agent.resolve(args, config, context)
${body}
end
return agent`;

/** Tries something that is not there: it ends with nil. */
export const nothing = (name: string, expression: string): HostileScript => ({
  name,
  lua: resolving(`return ${expression} == nil`),
  ends: { value: true },
});

export const timesOut = (name: string, body: string): HostileScript => ({
  name,
  lua: resolving(body),
  ends: { error: 'timeout' },
});

export const fails = (name: string, body: string, says?: RegExp): HostileScript => ({
  name,
  lua: resolving(body),
  ends: { error: 'agent_error', ...(says ? { says } : {}) },
});

export const yields = (name: string, body: string, value: Json): HostileScript => ({
  name,
  lua: resolving(body),
  ends: { value },
});
