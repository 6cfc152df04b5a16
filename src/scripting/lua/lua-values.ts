import { Fault, Halt } from './halt.ts';
import { LuaType, typeName } from './lua-exports.ts';
import type { LuaVm } from './lua-vm.ts';
import type { Json } from '../sandbox.ts';

/** What goes into Lua: JSON, and bytes where a text might not be one. */
export type HostValue = undefined | Uint8Array | null | boolean | number | string | HostValue[] | HostFields;
export interface HostFields {
  [key: string]: HostValue;
}

export interface ReadOptions {
  /** What errors call it: `result`, `argument 1`. */
  name: string;
  /** How much of it there may be: bytes of text, and a few for everything else. */
  budget: number;
  /** Thrown when there is more. */
  tooLarge(): Error;
  /** Functions are left out, and these are the names of the outermost. */
  functions?: string[];
}

const depthLimit = 64;
const nodeBytes = 8;

/** Where Lua keeps what its scripts do not see. */
export const registryIndex = -1_001_000;

/** Keys there, as pointers: the metatables that tell an empty list from an empty object. */
export const marks = { array: 1, object: 2 } as const;

export interface LuaValues {
  push(state: number, value: HostValue): void;
  pushText(state: number, text: string): void;
  read(state: number, index: number, options: ReadOptions): Json;
  /** Bytes of a string, copied. */
  readBytes(state: number, index: number): Uint8Array;
  /** A string as text; what is not UTF-8 in it is replaced. */
  readLoosely(state: number, index: number): string;
}

const encoder = new TextEncoder();
const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const looseDecoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Every value crosses as a copy: no table, function or object of one side is ever held by the other. */
export function createLuaValues(vm: LuaVm): LuaValues {
  const { lua, scratch } = vm;

  const needStack = (state: number) => {
    if (lua.lua_checkstack(state, 6) === 0) throw new Halt('stack', 'it filled the stack');
  };

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
    if (at === 0) throw new Halt('memory', 'there is not enough memory for what it was given');
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
      if (depth >= depthLimit) throw new Fault(`the value is nested more than ${depthLimit} levels deep`);
      needStack(state);
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

  function bytesOf(state: number, index: number): Uint8Array {
    const at = lua.lua_tolstring(state, index, 0) >>> 0;
    return vm.heap().subarray(at, at + Number(lua.lua_rawlen(state, index)));
  }

  function read(state: number, index: number, options: ReadOptions): Json {
    const above = new Set<number>();
    let left = options.budget;

    const spend = (bytes: number) => {
      left -= bytes + nodeBytes;
      if (left < 0) throw options.tooLarge();
    };
    const text = (at: number, path: () => string) => {
      spend(Number(lua.lua_rawlen(state, at)));
      try {
        return strictDecoder.decode(bytesOf(state, at));
      } catch {
        throw new Fault(`${path()} is not valid UTF-8: pass bytes on with base64.encode`);
      }
    };

    function value(at: number, path: () => string): Json | undefined {
      const type = lua.lua_type(state, at);
      if (type === LuaType.nil || type === LuaType.none) return null;
      if (type === LuaType.string) return text(at, path);
      if (type === LuaType.table) return table(lua.lua_absindex(state, at), path);
      spend(0);
      if (type === LuaType.boolean) return lua.lua_toboolean(state, at) !== 0;
      if (type === LuaType.number) return number(at, path);
      if (type === LuaType.lightUserdata && lua.lua_touserdata(state, at) === 0) return null;
      if (type === LuaType.function && options.functions) return undefined;
      throw new Fault(`${path()} is ${typeName(type)}, which JSON cannot hold`);
    }

    function number(at: number, path: () => string): number {
      if (lua.lua_isinteger(state, at) === 0) {
        const float = lua.lua_tonumberx(state, at, 0);
        if (Number.isFinite(float)) return float;
        throw new Fault(
          `${path()} is ${Number.isNaN(float) ? 'not a number' : 'infinite'}, which JSON cannot hold`,
        );
      }
      const integer = Number(lua.lua_tointegerx(state, at, 0));
      if (Number.isSafeInteger(integer)) return integer;
      throw new Fault(`${path()} is too large a number for JSON: pass it on as a string`);
    }

    function table(at: number, path: () => string): Json {
      const identity = lua.lua_topointer(state, at);
      if (above.has(identity)) throw new Fault(`${path()} contains itself`);
      if (above.size >= depthLimit)
        throw new Fault(`${path()} is nested more than ${depthLimit} levels deep`);
      needStack(state);
      spend(0);
      above.add(identity);
      const list: Json[] = [];
      /** Items that came before those in front of them. */
      const early = new Map<number, Json>();
      const named: [string, Json][] = [];
      let nameless = true;
      lua.lua_pushnil(state);
      while (lua.lua_next(state, at) !== 0) {
        const keyType = lua.lua_type(state, -2);
        if (keyType === LuaType.string) {
          const key = text(-2, () => `a key of ${path()}`);
          const field = value(-1, () => `${path()}.${key}`);
          if (field !== undefined) named.push([key, field]);
          else if (above.size === 1) options.functions?.push(key);
          nameless = false;
        } else if (keyType === LuaType.number && lua.lua_isinteger(state, -2) !== 0) {
          const key = Number(lua.lua_tointegerx(state, -2, 0));
          const item = value(-1, () => `${path()}[${key}]`) ?? null;
          if (key === list.length + 1) list.push(item);
          else early.set(key, item);
        } else throw new Fault(`${path()} has ${typeName(keyType)} as a key, which JSON cannot hold`);
        lua.lua_settop(state, -2);
      }
      above.delete(identity);
      for (let next = early.get(list.length + 1); next !== undefined; next = early.get(list.length + 1)) {
        early.delete(list.length + 1);
        list.push(next);
      }
      const [stray] = early.keys();
      if (nameless && stray === undefined) return list.length > 0 || !isMarked(at, marks.object) ? list : {};
      if (list.length === 0 && stray === undefined) return fieldsOf(named);
      if (!nameless)
        throw new Fault(`${path()} has both list items and named fields, which JSON cannot hold`);
      throw new Fault(`${path()} is a list with gaps: it has [${stray}], but not [${list.length + 1}]`);
    }

    function isMarked(at: number, reference: number): boolean {
      if (lua.lua_getmetatable(state, at) === 0) return false;
      const found = lua.lua_topointer(state, -1);
      lua.lua_settop(state, -2);
      lua.lua_pushlightuserdata(state, reference);
      lua.lua_rawget(state, registryIndex);
      const wanted = lua.lua_topointer(state, -1);
      lua.lua_settop(state, -2);
      return found === wanted;
    }

    return value(index, () => options.name) ?? null;
  }

  return {
    push,
    pushText,
    read,
    readBytes: (state, index) => bytesOf(state, index).slice(),
    readLoosely: (state, index) => looseDecoder.decode(bytesOf(state, index)),
  };
}

/** In the order of their names: Lua has none, and a prompt that changes for no reason is never cached. */
function fieldsOf(entries: [string, Json][]): { [key: string]: Json } {
  // Not by assignment, to which `__proto__` would be more than a name.
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
