import { Fault } from './halt.ts';
import { type LuaExports, LuaType, typeName } from './lua-exports.ts';
import { DEPTH_LIMIT, type LuaValues, marks, registryIndex } from './host-value.ts';
import type { LuaVm } from './lua-vm.ts';
import { needStack } from './lua-writer.ts';
import type { Json } from '../sandbox.ts';

/** Size of a value without its text. */
const nodeBytes = 8;
const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Copies a value out of Lua, as JSON. Throws a `Fault` for what JSON cannot hold. */
export function createLuaReader(
  vm: LuaVm,
  bytesOf: (state: number, index: number) => Uint8Array,
): LuaValues['read'] {
  const { lua } = vm;

  return (state, index, options) => {
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
        throw new Fault(`${path()} is not valid UTF-8: encode bytes with base64.encode`);
      }
    };

    function value(at: number, path: () => string): Json | undefined {
      const type = lua.lua_type(state, at);
      if (type === LuaType.nil || type === LuaType.none) return null;
      if (type === LuaType.string) return text(at, path);
      if (type === LuaType.table) return table(lua.lua_absindex(state, at), path);
      spend(0);
      if (type === LuaType.boolean) return lua.lua_toboolean(state, at) !== 0;
      if (type === LuaType.number) return readNumber(lua, state, at, path);
      if (type === LuaType.lightUserdata && lua.lua_touserdata(state, at) === 0) return null;
      if (type === LuaType.function && options.functions) return undefined;
      throw new Fault(`${path()} is ${typeName(type)}, which JSON cannot hold`);
    }

    function table(at: number, path: () => string): Json {
      const identity = lua.lua_topointer(state, at);
      if (above.has(identity)) throw new Fault(`${path()} contains itself`);
      if (above.size >= DEPTH_LIMIT)
        throw new Fault(`${path()} is nested more than ${DEPTH_LIMIT} levels deep`);
      needStack(vm, state);
      spend(0);
      above.add(identity);
      const list: Json[] = [];
      /** Items that arrived out of order. */
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
      if (nameless && stray === undefined)
        return list.length > 0 || !isMarked(lua, state, at, marks.object) ? list : {};
      if (list.length === 0 && stray === undefined) return fieldsOf(named);
      if (!nameless)
        throw new Fault(`${path()} has both list items and named fields, which JSON cannot hold`);
      throw new Fault(`${path()} is a list with gaps: it has [${stray}], but not [${list.length + 1}]`);
    }

    return value(index, () => options.name) ?? null;
  };
}

/** Sorted by name: Lua has no order, and a prompt that changes without reason is never cached. */
function fieldsOf(entries: [string, Json][]): { [key: string]: Json } {
  // Not by assignment, because `__proto__` is special.
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function readNumber(lua: LuaExports, state: number, at: number, path: () => string): number {
  if (lua.lua_isinteger(state, at) === 0) {
    const float = lua.lua_tonumberx(state, at, 0);
    if (Number.isFinite(float)) return float;
    throw new Fault(
      `${path()} is ${Number.isNaN(float) ? 'not a number' : 'infinite'}, which JSON cannot hold`,
    );
  }
  const integer = Number(lua.lua_tointegerx(state, at, 0));
  if (Number.isSafeInteger(integer)) return integer;
  throw new Fault(`${path()} is too large for a JSON number: use a string`);
}

/** Whether a table has the metatable that a mark refers to. */
function isMarked(lua: LuaExports, state: number, at: number, reference: number): boolean {
  if (lua.lua_getmetatable(state, at) === 0) return false;
  const found = lua.lua_topointer(state, -1);
  lua.lua_settop(state, -2);
  lua.lua_pushlightuserdata(state, reference);
  lua.lua_rawget(state, registryIndex);
  const wanted = lua.lua_topointer(state, -1);
  lua.lua_settop(state, -2);
  return found === wanted;
}
