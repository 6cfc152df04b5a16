import { Fault, Halt } from './halt.ts';
import { type HostFunction, argumentsOf } from './host-function.ts';
import { LuaType, typeName } from './lua-exports.ts';
import { type LuaFailure, failureOf, readTraceback } from './lua-failure.ts';
import { registryIndex } from './host-value.ts';
import { createLuaErrors } from './lua-errors.ts';
import { createConstants, createStateSteps } from './lua-state-steps.ts';
import { createLuaValues } from './lua-values.ts';
import { createLuaVm } from './lua-vm.ts';
import { prepareState } from './prepare-state.ts';
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

  const constant = createConstants(vm);
  const { guarded, errorText } = createLuaErrors(vm, values);
  const { load, seedRandom, pushContext } = createStateSteps(vm, values, constant);
  const tables = { agent: constant('agent'), tool: constant('tool'), connector: constant('connector') };

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
