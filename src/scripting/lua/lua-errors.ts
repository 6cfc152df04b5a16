import { Fault } from './halt.ts';
import type { LuaValues } from './host-value.ts';
import { LuaType } from './lua-exports.ts';
import type { LuaVm } from './lua-vm.ts';
import { PRELUDE } from './prelude.ts';

/** Errors on their way between JavaScript and Lua. */
export interface LuaErrors {
  /** Runs a host function. Only a `Fault` becomes an error that the script can catch. */
  guarded(L: number, work: () => number): number;
  /** The text of the error on top of the stack. */
  errorText(): string;
}

export function createLuaErrors(vm: LuaVm, values: LuaValues): LuaErrors {
  const { lua, state } = vm;

  /** Raises a Lua error at the calling line of the script. */
  function raise(L: number, message: string): never {
    let where = '';
    for (let level = 1; level <= 6; level++) {
      lua.luaL_where(L, level);
      const found = values.readLoosely(L, -1);
      lua.lua_settop(L, -2);
      if (found === '' || found.startsWith(PRELUDE)) continue;
      where = found;
      break;
    }
    values.pushText(L, where + message);
    return lua.lua_error(L);
  }

  function guarded(L: number, work: () => number): number {
    let message: string;
    try {
      return work();
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      message = error.message;
    }
    return raise(L, message);
  }

  const describeError = vm.addFunction((L) => {
    lua.luaL_tolstring(L, 1, 0);
    return 1;
  });

  function errorText(): string {
    if (lua.lua_type(state, -1) === LuaType.table) {
      values.pushText(state, 'message');
      lua.lua_rawget(state, -2);
      if (lua.lua_type(state, -1) !== LuaType.string) lua.lua_settop(state, -2);
    }
    lua.lua_pushcclosure(state, describeError, 0);
    lua.lua_rotate(state, -2, 1);
    const failed = lua.lua_pcallk(state, 1, 1, 0, 0, 0) !== 0;
    if (failed || lua.lua_type(state, -1) !== LuaType.string) return 'an error without a message';
    return values.readLoosely(state, -1);
  }

  return { guarded, errorText };
}
