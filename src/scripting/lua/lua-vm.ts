import wasm from 'wasmoon/dist/glue.wasm';
import { Halt } from './halt.ts';
import { type LuaExports, isLua } from './lua-exports.ts';

const pageBytes = 65_536;
const engine = new WebAssembly.Module(wasm);

/** An instance of the engine with one Lua state that can be reset to its initial contents. */
export interface LuaVm {
  lua: LuaExports;
  state: number;
  /** The engine's memory. Growing replaces it: fetch it again after anything that may allocate. */
  heap(): Uint8Array;
  /** A buffer for passing short texts. */
  scratch: { at: number; size: number };
  /** Creates a function that Lua can call, and returns its index. */
  addFunction(fn: (state: number) => number): number;
  /** Records the contents that `reset` restores. */
  seal(): void;
  /** Restores the sealed state. */
  reset(memoryBytes: number): void;
  /** Whether an allocation failed because of the limit. */
  starved(): boolean;
  outOfMemory(): Halt;
}

export function createLuaVm(): LuaVm {
  const memory: LuaMemory = { used: 0, limit: Number.MAX_SAFE_INTEGER, high: 0, refused: false };
  let bytes = new Uint8Array(0);

  const instance = new WebAssembly.Instance(
    engine,
    importsOf(engine, {
      invoke_vii: (index = 0, first = 0, second = 0) => {
        const stack = lua.stackSave();
        try {
          table.get(index)(first, second);
        } catch (error) {
          lua.stackRestore(stack);
          // Only Lua's own errors may be caught by Lua.
          if (error !== longJump) throw error;
          lua.setThrew(1, 0);
        }
      },
      _emscripten_throw_longjmp: () => {
        throw longJump;
      },
      // Lua seeds its hashes with the time. A fixed time keeps the order of `pairs` stable.
      emscripten_date_now: () => 0,
      emscripten_resize_heap: (size = 0) => {
        const wanted = size >>> 0;
        // Twice the limit leaves room for fragmentation.
        if (wanted > memory.limit * 2 + 32 * 1024 * 1024) return 0;
        try {
          // Grows by more than requested, because each step is expensive.
          lua.memory.grow(Math.ceil((wanted - bytes.length + bytes.length / 4) / pageBytes));
        } catch {
          return 0;
        }
        bytes = new Uint8Array(lua.memory.buffer);
        return 1;
      },
      environ_sizes_get: (count = 0, size = 0) => {
        const view = new DataView(lua.memory.buffer);
        view.setUint32(count, 0, true);
        view.setUint32(size, 0, true);
        return 0;
      },
      environ_get: () => 0,
    }),
  );
  if (!isLua(instance.exports)) throw new Error('unsupported version of the Lua engine');
  const lua: LuaExports = instance.exports;
  const table = lua.__indirect_function_table;
  bytes = new Uint8Array(lua.memory.buffer);

  const allocate = createAllocator(lua, memory);

  function addToTable(params: number, fn: (...args: number[]) => number): number {
    const index = table.grow(1);
    table.set(index, asWasmFunction(params, fn));
    return index;
  }

  lua.emscripten_stack_init();
  lua.__wasm_call_ctors();
  const scratch = { at: lua.malloc(pageBytes), size: pageBytes };
  const state = lua.lua_newstate(
    addToTable(4, (_data = 0, pointer = 0, before = 0, after = 0) => allocate(pointer, before, after)),
    0,
  );
  if (state === 0) throw new Error('the Lua engine did not start');

  return {
    lua,
    state,
    scratch,
    heap: () => bytes,
    addFunction: (fn) => addToTable(1, (state = 0) => fn(state)),
    starved: () => memory.refused,
    outOfMemory: () => outOfMemory(memory),
    ...createSnapshot(lua, memory, () => bytes),
  };
}

/** Saves and restores the contents of the engine's memory. */
function createSnapshot(
  lua: LuaExports,
  memory: LuaMemory,
  heap: () => Uint8Array,
): Pick<LuaVm, 'seal' | 'reset'> {
  const stackFrom = lua.emscripten_stack_get_end();
  const stackTo = lua.emscripten_stack_get_base();
  let sealed: { below: Uint8Array; above: Uint8Array; end: number; used: number; stack: number } | null =
    null;
  return {
    seal() {
      const bytes = heap();
      const empty = Buffer.alloc(pageBytes);
      let end = bytes.length;
      while (end > stackTo && empty.compare(bytes, end - pageBytes, end) === 0) end -= pageBytes;
      sealed = {
        below: bytes.slice(0, stackFrom),
        above: bytes.slice(stackTo, end),
        end,
        used: memory.used,
        stack: lua.stackSave(),
      };
      memory.high = end;
    },
    reset(memoryBytes) {
      const bytes = heap();
      if (!sealed) throw new Error('the Lua engine was not sealed');
      bytes.set(sealed.below, 0);
      bytes.fill(0, stackFrom, stackTo);
      bytes.set(sealed.above, stackTo);
      // The engine's allocator keeps its end mark at most a few pages behind the last block.
      bytes.fill(0, sealed.end, memory.high + 4 * pageBytes);
      lua.stackRestore(sealed.stack);
      memory.used = sealed.used;
      memory.high = sealed.end;
      memory.limit = sealed.used + memoryBytes;
      memory.refused = false;
    },
  };
}

interface LuaMemory {
  used: number;
  limit: number;
  /** The end of the highest allocated block. */
  high: number;
  /** Whether the last allocation was refused. */
  refused: boolean;
}

/** The allocator of a Lua state, which enforces the memory limit. */
function createAllocator(
  lua: LuaExports,
  memory: LuaMemory,
): (pointer: number, before: number, after: number) => number {
  const last = { pointer: 0, before: 0, after: 0 };

  /** After a failed allocation, Lua collects garbage and retries; a different request next shows that it gave up. */
  function refuse(pointer: number, before: number, after: number): number {
    if (memory.refused) throw outOfMemory(memory);
    memory.refused = true;
    Object.assign(last, { pointer, before, after });
    return 0;
  }

  return (pointer, before, after) => {
    const oldSize = pointer === 0 ? 0 : before >>> 0;
    const newSize = after >>> 0;
    if (newSize === 0) {
      memory.used -= oldSize;
      if (pointer !== 0) lua.free(pointer);
      return 0;
    }
    const growth = newSize - oldSize;
    if (growth > 0) {
      if (memory.used + growth > memory.limit) return refuse(pointer, before, after);
      if (memory.refused) {
        if (last.pointer !== pointer || last.before !== before || last.after !== after)
          throw outOfMemory(memory);
        memory.refused = false;
      }
      const given = lua.realloc(pointer, newSize) >>> 0;
      if (given === 0) return refuse(pointer, before, after);
      memory.used += growth;
      if (given + newSize > memory.high) memory.high = given + newSize;
      return given;
    }
    memory.used += growth;
    return lua.realloc(pointer, newSize);
  };
}

function outOfMemory({ limit }: LuaMemory): Halt {
  return new Halt('memory', `it exceeded its memory limit of ${Math.round(limit / 1024 / 1024)} MiB`);
}

/** Thrown when Lua raises an error. */
const longJump = new Error('a Lua error');

/** The engine gets only these imports. Others (files, processes, exit) are missing. */
function importsOf(
  module: WebAssembly.Module,
  given: Record<string, (...args: number[]) => unknown>,
): Record<string, Record<string, (...args: number[]) => unknown>> {
  const imports: Record<string, Record<string, (...args: number[]) => unknown>> = {};
  for (const { module: space, name } of WebAssembly.Module.imports(module)) {
    const missing = () => {
      throw new Halt('engine', `the Lua engine called ${name}, which is not available to scripts`);
    };
    (imports[space] ??= {})[name] = given[name] ?? missing;
  }
  return imports;
}

/** Function tables accept only WebAssembly functions, so this module wraps a JavaScript one. */
function asWasmFunction(params: number, fn: (...args: number[]) => number): unknown {
  const i32 = 0x7f;
  const type = [0x60, params, ...Array.from({ length: params }, () => i32), 1, i32];
  const header = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
  const types = [1, type.length + 1, 1, ...type];
  const imported = [2, 7, 1, 1, 0x65, 1, 0x66, 0, 0];
  const exported = [7, 5, 1, 1, 0x66, 0, 0];
  const bytes = new Uint8Array([...header, ...types, ...imported, ...exported]);
  return new WebAssembly.Instance(new WebAssembly.Module(bytes), { e: { f: fn } }).exports['f'];
}
