import { Fault, Halt } from './halt.ts';
import {
  DEPTH_LIMIT,
  type HostFields,
  type HostValue,
  type LuaValues,
  marks,
  registryIndex,
} from './host-value.ts';
import type { LuaVm } from './lua-vm.ts';

const encoder = new TextEncoder();

/** Ensures that Lua's stack has room for one more level. */
export function needStack({ lua }: LuaVm, state: number): void {
  if (lua.lua_checkstack(state, 6) === 0) throw new Halt('stack', 'the Lua stack is full');
}

export function createLuaWriter(vm: LuaVm): Pick<LuaValues, 'push' | 'pushText'> {
  const { lua, scratch } = vm;

  function pushBytes(state: number, bytes: Uint8Array): void {
    const fits = bytes.length <= scratch.size;
    const at = fits ? scratch.at : allocate(bytes.length);
    vm.heap().set(bytes, at);
    lua.lua_pushlstring(state, at, bytes.length);
    if (!fits) lua.free(at);
  }

  function pushText(state: number, text: string): void {
    if (text.length * 3 > scratch.size) return pushBytes(state, encoder.encode(text));
    const { written } = encoder.encodeInto(text, vm.heap().subarray(scratch.at, scratch.at + scratch.size));
    lua.lua_pushlstring(state, scratch.at, written);
    return undefined;
  }

  function allocate(size: number): number {
    const at = lua.malloc(size) >>> 0;
    if (at === 0) throw new Halt('memory', 'not enough memory for its arguments');
    return at;
  }

  function mark(state: number, reference: number): void {
    lua.lua_pushlightuserdata(state, reference);
    lua.lua_rawget(state, registryIndex);
    lua.lua_setmetatable(state, -2);
  }

  function push(state: number, value: HostValue, depth = 0): void {
    if (value === null || value === undefined) lua.lua_pushnil(state);
    else if (typeof value === 'string') pushText(state, value);
    else if (typeof value === 'boolean') lua.lua_pushboolean(state, value ? 1 : 0);
    else if (typeof value === 'number') {
      if (Number.isSafeInteger(value)) lua.lua_pushinteger(state, BigInt(value));
      else lua.lua_pushnumber(state, value);
    } else if (value instanceof Uint8Array) pushBytes(state, value);
    else {
      if (depth >= DEPTH_LIMIT) throw new Fault(`the value is nested more than ${DEPTH_LIMIT} levels deep`);
      needStack(vm, state);
      if (Array.isArray(value)) pushList(state, value, depth + 1);
      else pushFields(state, value, depth + 1);
    }
  }

  function pushList(state: number, items: readonly HostValue[], depth: number): void {
    lua.lua_createtable(state, items.length, 0);
    if (items.length === 0) mark(state, marks.array);
    for (const [index, item] of items.entries()) {
      if (item === null || item === undefined) lua.lua_pushlightuserdata(state, 0);
      else push(state, item, depth);
      lua.lua_rawseti(state, -2, BigInt(index + 1));
    }
  }

  function pushFields(state: number, fields: HostFields, depth: number): void {
    const entries = Object.entries(fields);
    lua.lua_createtable(state, 0, entries.length);
    if (entries.length === 0) mark(state, marks.object);
    for (const [key, value] of entries) {
      if (value === null || value === undefined) continue;
      pushText(state, key);
      push(state, value, depth);
      lua.lua_rawset(state, -3);
    }
  }

  return { push, pushText };
}
