import { Fault } from './halt.ts';
import { LuaType, typeName } from './lua-exports.ts';
import type { HostValue, LuaValues } from './host-value.ts';
import type { LuaVm } from './lua-vm.ts';
import type { Json } from '../sandbox.ts';

/** The arguments of a host function. Positions count from 1; a wrong type is an error of the script. */
export interface HostArguments {
  has(position: number): boolean;
  text(position: number): string;
  /** As `text`, with invalid UTF-8 replaced. */
  looseText(position: number): string;
  bytes(position: number): Uint8Array;
  number(position: number): number;
  json(position: number): Json;
}

/** A function of the hub that a script can call. It may throw a `Fault`, which the script may catch. */
export type HostFunction = (args: HostArguments) => HostValue;

/** @param budget how many bytes one argument may have */
export function argumentsOf(
  { lua }: LuaVm,
  values: LuaValues,
  state: number,
  name: string,
  budget: number,
): HostArguments {
  const tooLarge = () => new Fault(`${name}: the arguments are too large`);
  const expect = (position: number, type: number) => {
    const found = lua.lua_type(state, position);
    if (found !== type)
      throw new Fault(`${name}: argument ${position} must be ${typeName(type)}, not ${typeName(found)}`);
  };
  const read = (position: number) =>
    values.read(state, position, { name: `${name}: argument ${position}`, budget, tooLarge });
  return {
    has: (position) => lua.lua_type(state, position) > LuaType.nil,
    text(position) {
      expect(position, LuaType.string);
      const text = read(position);
      return typeof text === 'string' ? text : '';
    },
    looseText(position) {
      expect(position, LuaType.string);
      if (lua.lua_rawlen(state, position) > budget) throw tooLarge();
      return values.readLoosely(state, position);
    },
    bytes(position) {
      expect(position, LuaType.string);
      if (lua.lua_rawlen(state, position) > budget) throw tooLarge();
      return values.readBytes(state, position);
    },
    number(position) {
      expect(position, LuaType.number);
      return lua.lua_tonumberx(state, position, 0);
    },
    json: read,
  };
}
