import type { Agent } from './agent.ts';

/** Part of a call context: a version of an agent that is used instead of the served one, for this call and nested ones. */
export interface StandInContext {
  standIn?: Agent;
}
