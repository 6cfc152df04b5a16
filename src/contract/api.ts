import type { CallContext } from './call.ts';
import type { InputOf, Operation, OutputOf, RawReply } from './operation.ts';
import { activityOperations } from './operations/activity.ts';
import { agentOperations } from './operations/agents.ts';
import { brainOperations } from './operations/brain.ts';
import { hubOperations } from './operations/hub.ts';
import { knowledgeOperations } from './operations/knowledge.ts';
import { partOperations } from './operations/parts.ts';
import { promptOperations } from './operations/prompts.ts';
import { scopeOperations } from './operations/scope.ts';
import { toolOperations } from './operations/tools.ts';
import { upstreamOperations } from './operations/upstreams.ts';

/** By the file that they are in. */
export const groups = {
  hub: hubOperations,
  agents: agentOperations,
  parts: partOperations,
  brain: brainOperations,
  prompts: promptOperations,
  tools: toolOperations,
  scope: scopeOperations,
  activity: activityOperations,
  upstreams: upstreamOperations,
  knowledge: knowledgeOperations,
} satisfies Record<string, Record<string, Operation>>;

/** Everything the hub can do. The hub implements it; HTTP, the client and `/openapi.json` are derived from it. */
export const api = {
  ...groups.hub,
  ...groups.agents,
  ...groups.parts,
  ...groups.brain,
  ...groups.prompts,
  ...groups.tools,
  ...groups.scope,
  ...groups.activity,
  ...groups.upstreams,
  ...groups.knowledge,
} satisfies Record<string, Operation>;

export type Api = typeof api;
export type OperationName = keyof Api;
export type GroupName = keyof typeof groups;

type NamesOf<K extends Operation['kind']> = {
  [N in OperationName]: Api[N]['kind'] extends K ? N : never;
}[OperationName];
export type UnaryName = NamesOf<'unary'>;
export type StreamName = NamesOf<'stream'>;
export type RawName = NamesOf<'raw'>;

export type Input<N extends OperationName> = InputOf<Api[N]>;
export type Output<N extends OperationName> = OutputOf<Api[N]>;

/** What the hub offers for every operation, by kind. Inputs have been parsed before they get here. */
export type Implementation = {
  [N in UnaryName]: (input: Input<N>, context: CallContext) => Promise<Output<N>>;
} & {
  [N in StreamName]: (input: Input<N>, context: CallContext) => AsyncIterable<Output<N>>;
} & {
  [N in RawName]: (input: Input<N>, context: CallContext) => Promise<RawReply>;
};

/** The same operations as a caller sees them, in this process or across a wire. */
export interface ZooClient {
  call<N extends UnaryName>(name: N, input: Input<N>, signal?: AbortSignal): Promise<Output<N>>;
  stream<N extends StreamName>(name: N, input: Input<N>, signal?: AbortSignal): AsyncIterable<Output<N>>;
}
