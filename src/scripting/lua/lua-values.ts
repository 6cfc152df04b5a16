import type { LuaValues } from './host-value.ts';
import { createLuaReader } from './lua-reader.ts';
import type { LuaVm } from './lua-vm.ts';
import { createLuaWriter } from './lua-writer.ts';

const looseDecoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Values are copied: neither side ever holds a table, function or object of the other. */
export function createLuaValues(vm: LuaVm): LuaValues {
  const { lua } = vm;
  const bytesOf = (state: number, index: number): Uint8Array => {
    const at = lua.lua_tolstring(state, index, 0) >>> 0;
    return vm.heap().subarray(at, at + Number(lua.lua_rawlen(state, index)));
  };
  return {
    ...createLuaWriter(vm),
    read: createLuaReader(vm, bytesOf),
    readBytes: (state, index) => bytesOf(state, index).slice(),
    readLoosely: (state, index) => looseDecoder.decode(bytesOf(state, index)),
  };
}
