import type { CallContext } from './call.ts';
import type { InputOf, Operation, OutputOf, RawReply } from './table/operation.ts';
import * as groups from './operations/index.ts';

type Groups = typeof groups;
/** The file in `operations/` that defines an operation. */
export type GroupName = keyof Groups;
type OperationsOf<G extends GroupName> = Groups[G]['operations'];

type Joined<U> = (U extends unknown ? (each: U) => void : never) extends (all: infer All) => void
  ? All
  : never;
type Table = Joined<OperationsOf<GroupName>>;
export type OperationName = keyof Table;
export type Api = { [N in OperationName]: Table[N] };

/** Everything the hub can do. The hub implements it; HTTP, the client and `/openapi.json` are derived from it. */
export const api: Api = join();

// An overload, because TypeScript cannot spread a union of objects; a test checks that no name is used twice.
function join(): Api;
function join(): Record<string, Operation> {
  return Object.fromEntries(Object.values(groups).flatMap(({ operations }) => Object.entries(operations)));
}

type NamesOf<K extends Operation['kind']> = {
  [N in OperationName]: Api[N]['kind'] extends K ? N : never;
}[OperationName];
export type UnaryName = NamesOf<'unary'>;
export type StreamName = NamesOf<'stream'>;
export type RawName = NamesOf<'raw'>;

export type Input<N extends OperationName> = InputOf<Api[N]>;
export type Output<N extends OperationName> = OutputOf<Api[N]>;

/** The implementation of every operation, by kind. Inputs are already parsed. */
export type Implementation = {
  [N in UnaryName]: (input: Input<N>, context: CallContext) => Promise<Output<N>>;
} & {
  [N in StreamName]: (input: Input<N>, context: CallContext) => AsyncIterable<Output<N>>;
} & {
  [N in RawName]: (input: Input<N>, context: CallContext) => Promise<RawReply>;
};

/** The operations of one or more groups, implemented. */
export type Implements<G extends GroupName> = Pick<
  Implementation,
  OperationName & { [Each in G]: keyof OperationsOf<Each> }[G]
>;

/** The same operations as a caller sees them, in this process or across a wire. */
export interface ZooClient {
  call<N extends UnaryName>(name: N, input: Input<N>, signal?: AbortSignal): Promise<Output<N>>;
  stream<N extends StreamName>(name: N, input: Input<N>, signal?: AbortSignal): AsyncIterable<Output<N>>;
}
