import { dirname } from 'node:path';
import {
  DEFAULT_LIMITS,
  type ScriptCall,
  type ScriptFile,
  type ScriptGrants,
  type ScriptHost,
  type ScriptLimits,
} from '../../src/scripting/sandbox.ts';

export function scriptFile(
  path: string,
  more: Partial<Pick<ScriptFile, 'kind' | 'root'>> & {
    limits?: Partial<ScriptLimits>;
    grants?: Partial<ScriptGrants>;
  } = {},
): ScriptFile {
  const { kind = 'agent', root = dirname(dirname(path)), limits, grants } = more;
  return {
    kind,
    path,
    root,
    limits: { ...DEFAULT_LIMITS, ...limits },
    grants: { hosts: [], env: {}, ...grants },
  };
}

/** A hub that knows nothing. */
export const emptyHost: ScriptHost = {
  search: () => Promise.resolve([]),
  get: (id) => Promise.reject(new Error(`there is no document ${id}`)),
  sources: () => Promise.resolve([]),
};

export function scriptCall(more: Partial<ScriptCall> = {}): ScriptCall {
  return {
    function: 'resolve',
    args: [{}, {}],
    host: emptyHost,
    signal: new AbortController().signal,
    ...more,
  };
}
