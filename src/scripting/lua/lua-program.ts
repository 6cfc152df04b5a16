import { getRandomValues } from 'node:crypto';
import { Fault, Halt } from './halt.ts';
import { type HostFunction, argumentsOf } from './host-function.ts';
import { LuaType, typeName } from './lua-exports.ts';
import { type LuaFailure, failureOf, readTraceback } from './lua-failure.ts';
import { registryIndex } from './host-value.ts';
import { createLuaValues } from './lua-values.ts';
import { createLuaVm } from './lua-vm.ts';
import { prepareState } from './prepare-state.ts';
import { PRELUDE } from './prelude.ts';
import type { Json, ScriptKind } from '../sandbox.ts';

export interface ProgramCall {
  kind: ScriptKind;
  source: Uint8Array;
  /** The script's name in errors. */
  file: string;
  memoryBytes: number;
  outputBytes: number;
  /** Null describes the script: its table is the result. */
  call: { function: string; args: readonly Json[]; config: Json } | null;
}

export type ProgramResult =
  { ok: true; value: Json; functions: string[] } | { ok: false; failure: LuaFailure };

export interface LuaProgram {
  run(call: ProgramCall): ProgramResult;
  /** The memory that the engine occupies. */
  heldBytes(): number;
}

/** A Lua state that runs one script after another, each from the same clean start. */
export function createLuaProgram(functions: Record<string, HostFunction>): LuaProgram {
  const vm = createLuaVm();
  const { lua, state } = vm;
  const values = createLuaValues(vm);
  const named = Object.entries(functions);
  let current: ProgramCall | null = null;
  let result: { value: Json; functions: string[] } = { value: null, functions: [] };
  let traceback: string[] = [];

  /** Zero-terminated texts, allocated before the state is sealed. */
  const constants = new Map<string, number>();
  function constant(text: string): number {
    let at = constants.get(text);
    if (at === undefined) {
      const bytes = new TextEncoder().encode(`${text}\0`);
      at = lua.malloc(bytes.length);
      vm.heap().set(bytes, at);
      constants.set(text, at);
    }
    return at;
  }
  const textMode = constant('t');
  const tables = { agent: constant('agent'), tool: constant('tool'), connector: constant('connector') };
  const contextName = constant('context');
  const mathName = constant('math');

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

  /** Runs a host function. Only a `Fault` becomes an error that the script can catch. */
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

  const hostFunction = vm.addFunction((L) =>
    guarded(L, () => {
      const [name, fn] = named[lua.lua_tonumberx(L, registryIndex - 1, 0)] ?? [];
      if (!name || !fn) throw new Halt('engine', 'the Lua engine called an unknown function');
      const value = fn(argumentsOf(vm, values, L, name, current?.outputBytes ?? 0));
      lua.lua_settop(L, 0);
      values.push(L, value);
      return 1;
    }),
  );

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

  const main = vm.addFunction((L) =>
    guarded(L, () => {
      const { kind, source, file, outputBytes, call } = expectCall();
      seedRandom(L);
      load(L, `@${file}`, source);
      lua.lua_callk(L, 0, 1, 0, 0);
      if (lua.lua_type(L, -1) !== LuaType.table) {
        lua.lua_settop(L, -2);
        lua.lua_getglobal(L, tables[kind]);
      }
      if (lua.lua_type(L, -1) !== LuaType.table)
        throw new Fault(`it has no ${kind}: end it with \`return ${kind}\`, a table`);
      const tooLarge = () => new Halt('output', `its result exceeds the limit of ${outputBytes} bytes`);
      const reading = { budget: outputBytes, tooLarge };
      if (call === null) {
        const found: string[] = [];
        const value = values.read(L, -1, { ...reading, name: kind, functions: found });
        result = { value, functions: found };
        return 0;
      }
      values.pushText(L, call.function);
      lua.lua_rawget(L, -2);
      const type = lua.lua_type(L, -1);
      if (type !== LuaType.function) {
        const missing = `${kind}.${call.function}`;
        throw new Fault(
          `it has no function ${missing}${type === LuaType.nil ? '' : `, but ${typeName(type)}`}`,
        );
      }
      for (const arg of call.args) values.push(L, arg);
      pushContext(L, call.config);
      lua.lua_callk(L, call.args.length + 1, 1, 0, 0);
      result = { value: values.read(L, -1, { ...reading, name: 'its result' }), functions: [] };
      return 0;
    }),
  );

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

  function expectCall(): ProgramCall {
    if (!current) throw new Halt('engine', 'the Lua engine runs without a script');
    return current;
  }

  const onError = vm.addFunction((L) => {
    lua.luaL_traceback(L, L, 0, 1);
    traceback = readTraceback(values.readLoosely(L, -1));
    lua.lua_settop(L, -2);
    return 1;
  });

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

  prepareState({ vm, values, constant, load, errorText, names: named.map(([name]) => name), hostFunction });

  return {
    heldBytes: () => vm.heap().length,
    run(call) {
      vm.reset(call.memoryBytes);
      current = call;
      traceback = [];
      result = { value: null, functions: [] };
      try {
        lua.lua_pushcclosure(state, onError, 0);
        lua.lua_pushcclosure(state, main, 0);
        const status = lua.lua_pcallk(state, 0, 0, 1, 0, 0);
        if (status === 0 && !vm.starved()) return { ok: true, ...result };
        if (vm.starved()) throw vm.outOfMemory();
        return { ok: false, failure: failureOf(errorText(), call.file, traceback) };
      } catch (error) {
        return { ok: false, failure: failureOf(error, call.file, traceback) };
      } finally {
        current = null;
      }
    },
  };
}
