import { marks, type LuaValues, registryIndex } from './host-value.ts';
import type { LuaVm } from './lua-vm.ts';
import { PRELUDE, preludeSource } from './prelude.ts';

const libraries = ['base:_G', 'coroutine', 'table', 'string', 'math', 'utf8'] as const;

export interface StateParts {
  vm: LuaVm;
  values: LuaValues;
  /** A zero-terminated text in the engine's memory. */
  constant(text: string): number;
  load(state: number, name: string, source: Uint8Array): void;
  /** The error on top of the stack. */
  errorText(): string;
  /** The host functions for the prelude. */
  names: readonly string[];
  /** Called for each of them, with its index. */
  hostFunction: number;
}

/** Opens the libraries, runs the prelude, and seals the state that every call starts from. */
export function prepareState(parts: StateParts): void {
  const { vm, values, constant, load, errorText, names, hostFunction } = parts;
  const { lua, state } = vm;
  for (const library of libraries) {
    const [name = '', global = name] = library.split(':');
    lua.lua_pushcclosure(state, opener(vm, name), 0);
    values.pushText(state, global);
    lua.lua_callk(state, 1, 1, 0, 0);
    if (name === 'base') lua.lua_settop(state, -2);
    else lua.lua_setglobal(state, constant(global));
  }
  load(state, `=${PRELUDE}`, new TextEncoder().encode(preludeSource));
  lua.lua_createtable(state, 0, names.length + 3);
  for (const [index, name] of names.entries()) {
    values.pushText(state, name);
    lua.lua_pushnumber(state, index);
    lua.lua_pushcclosure(state, hostFunction, 1);
    lua.lua_rawset(state, -3);
  }
  for (const [name, key] of Object.entries(marks)) {
    lua.lua_pushlightuserdata(state, key);
    values.pushText(state, name);
    lua.lua_createtable(state, 0, 0);
    lua.lua_pushvalue(state, -1);
    lua.lua_rotate(state, -4, -1);
    lua.lua_rotate(state, -2, 1);
    lua.lua_rawset(state, registryIndex);
    lua.lua_rawset(state, -3);
  }
  values.pushText(state, 'json.null');
  lua.lua_pushlightuserdata(state, 0);
  values.push(state, { __name: 'null', __metatable: false });
  lua.lua_setmetatable(state, -2);
  lua.lua_rawset(state, -3);
  if (lua.lua_pcallk(state, 1, 0, 0, 0, 0) !== 0) throw new Error(`prelude: ${errorText()}`);
  lua.lua_settop(state, 0);
  vm.seal();
}

function opener(vm: LuaVm, name: string): number {
  const { lua } = vm;
  const open = {
    base: lua.luaopen_base,
    coroutine: lua.luaopen_coroutine,
    table: lua.luaopen_table,
    string: lua.luaopen_string,
    math: lua.luaopen_math,
    utf8: lua.luaopen_utf8,
  }[name];
  if (!open) throw new Error(`unknown library ${name}`);
  return vm.addFunction(open);
}
