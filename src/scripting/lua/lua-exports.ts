type State = number;
type Pointer = number;

/** The part of Lua's own interface that we use, as the engine exports it. 64-bit integers are bigints. */
export interface LuaExports {
  memory: WebAssembly.Memory;
  __indirect_function_table: WebAssembly.Table;
  __wasm_call_ctors(): void;
  emscripten_stack_init(): void;
  emscripten_stack_get_base(): Pointer;
  emscripten_stack_get_end(): Pointer;
  stackSave(): Pointer;
  stackRestore(pointer: Pointer): void;
  setThrew(threw: number, value: number): void;
  malloc(size: number): Pointer;
  realloc(pointer: Pointer, size: number): Pointer;
  free(pointer: Pointer): void;

  lua_newstate(allocator: number, data: Pointer): State;
  luaopen_base(state: State): number;
  luaopen_coroutine(state: State): number;
  luaopen_table(state: State): number;
  luaopen_string(state: State): number;
  luaopen_math(state: State): number;
  luaopen_utf8(state: State): number;
  luaL_requiref(state: State, name: Pointer, open: number, global: number): void;

  lua_gettop(state: State): number;
  lua_settop(state: State, index: number): void;
  lua_absindex(state: State, index: number): number;
  lua_checkstack(state: State, slots: number): number;
  lua_rotate(state: State, index: number, by: number): void;

  lua_type(state: State, index: number): number;
  lua_isinteger(state: State, index: number): number;
  lua_tointegerx(state: State, index: number, isInteger: Pointer): bigint;
  lua_tonumberx(state: State, index: number, isNumber: Pointer): number;
  lua_toboolean(state: State, index: number): number;
  lua_tolstring(state: State, index: number, length: Pointer): Pointer;
  lua_touserdata(state: State, index: number): Pointer;
  lua_topointer(state: State, index: number): Pointer;
  lua_rawlen(state: State, index: number): bigint;
  lua_next(state: State, index: number): number;
  lua_rawget(state: State, index: number): number;
  lua_getfield(state: State, index: number, key: Pointer): number;
  lua_getglobal(state: State, name: Pointer): number;
  lua_getmetatable(state: State, index: number): number;

  lua_pushnil(state: State): void;
  lua_pushboolean(state: State, value: number): void;
  lua_pushinteger(state: State, value: bigint): void;
  lua_pushnumber(state: State, value: number): void;
  lua_pushlstring(state: State, text: Pointer, length: number): Pointer;
  lua_pushvalue(state: State, index: number): void;
  lua_pushlightuserdata(state: State, pointer: Pointer): void;
  lua_pushcclosure(state: State, fn: number, upvalues: number): void;
  lua_createtable(state: State, items: number, fields: number): void;
  lua_rawset(state: State, index: number): void;
  lua_rawseti(state: State, index: number, key: bigint): void;
  lua_setglobal(state: State, name: Pointer): void;
  lua_setmetatable(state: State, index: number): number;

  luaL_loadbufferx(state: State, text: Pointer, length: number, name: Pointer, mode: Pointer): number;
  lua_callk(state: State, args: number, results: number, context: number, continuation: number): void;
  lua_pcallk(
    state: State,
    args: number,
    results: number,
    handler: number,
    context: number,
    continuation: number,
  ): number;
  lua_concat(state: State, count: number): void;
  lua_error(state: State): never;
  luaL_where(state: State, level: number): void;
  luaL_tolstring(state: State, index: number, length: Pointer): Pointer;
  luaL_traceback(state: State, of: State, message: Pointer, level: number): void;
}

/** The engine is pinned, so a missing export means another version. */
export function isLua(exports: Record<string, unknown>): exports is Record<string, unknown> & LuaExports {
  return ['memory', 'lua_newstate', 'luaL_traceback', 'emscripten_stack_init'].every(
    (name) => name in exports,
  );
}

export const LuaType = {
  none: -1,
  nil: 0,
  boolean: 1,
  lightUserdata: 2,
  number: 3,
  string: 4,
  table: 5,
  function: 6,
  userdata: 7,
  thread: 8,
} as const;

const typeNames: Readonly<Record<number, string>> = {
  [LuaType.none]: 'nothing',
  [LuaType.nil]: 'nil',
  [LuaType.boolean]: 'a boolean',
  [LuaType.lightUserdata]: 'userdata',
  [LuaType.number]: 'a number',
  [LuaType.string]: 'a string',
  [LuaType.table]: 'a table',
  [LuaType.function]: 'a function',
  [LuaType.userdata]: 'userdata',
  [LuaType.thread]: 'a coroutine',
};

export const typeName = (type: number) => typeNames[type] ?? 'something unknown';
