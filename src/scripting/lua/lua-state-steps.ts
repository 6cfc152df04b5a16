import { getRandomValues } from 'node:crypto';
import { Halt } from './halt.ts';
import type { LuaValues } from './host-value.ts';
import { LuaType } from './lua-exports.ts';
import type { LuaVm } from './lua-vm.ts';
import type { Json } from '../sandbox.ts';

/** Zero-terminated texts, each allocated once, before the state is sealed. */
export function createConstants({ lua, heap }: LuaVm): (text: string) => number {
  const constants = new Map<string, number>();
  return (text) => {
    let at = constants.get(text);
    if (at === undefined) {
      const bytes = new TextEncoder().encode(`${text}\0`);
      at = lua.malloc(bytes.length);
      heap().set(bytes, at);
      constants.set(text, at);
    }
    return at;
  };
}

/** The steps that prepare a call of a script. */
export interface StateSteps {
  /** Pushes a chunk as a function; raises an error of Lua's if it cannot be parsed. */
  load(L: number, name: string, source: Uint8Array): void;
  seedRandom(L: number): void;
  pushContext(L: number, config: Json): void;
}

export function createStateSteps(
  vm: LuaVm,
  values: LuaValues,
  constant: (text: string) => number,
): StateSteps {
  const { lua } = vm;
  const textMode = constant('t');
  const contextName = constant('context');
  const mathName = constant('math');

  function load(L: number, name: string, source: Uint8Array): void {
    const named = new TextEncoder().encode(`${name}\0`);
    const at = lua.malloc(named.length + source.length) >>> 0;
    if (at === 0) throw new Halt('memory', 'not enough memory to load it');
    vm.heap().set(named, at);
    vm.heap().set(source, at + named.length);
    const status = lua.luaL_loadbufferx(L, at + named.length, source.length, at, textMode);
    lua.free(at);
    if (status !== 0) lua.lua_error(L);
  }

  /** Every call starts from the same state, but with its own random seed. */
  function seedRandom(L: number): void {
    lua.lua_getglobal(L, mathName);
    values.pushText(L, 'randomseed');
    lua.lua_rawget(L, -2);
    const seeds = new BigInt64Array(2);
    getRandomValues(seeds);
    for (const seed of seeds) lua.lua_pushinteger(L, seed);
    lua.lua_callk(L, seeds.length, 0, 0, 0);
    lua.lua_settop(L, -2);
  }

  function pushContext(L: number, config: Json): void {
    lua.lua_getglobal(L, contextName);
    // A script that replaced the global `context` gets its own value.
    if (lua.lua_type(L, -1) !== LuaType.table) return;
    values.pushText(L, 'config');
    values.push(L, config);
    lua.lua_rawset(L, -3);
  }

  return { load, seedRandom, pushContext };
}
