import type { Stage } from '../publishing/stage.ts';

/** An autonomous agent with secrets in its prompt, and one that is not. */
export const PLANNER = `
[agents.planner]
name = "Planner"
description = "Plans trips."
version = "1.2.3"
mode = "autonomous"
system_prompt = "The password is hunter2."
tools = ["sources"]

[[agents.planner.skills]]
name = "Trains"
description = "Prefer trains, the secret discount is 42."

[agents.private]
system_prompt = "x"
`;

export const boundToken = async ({ hub }: Stage, agentId = 'planner'): Promise<string> =>
  (await hub.request('POST', '/api/tokens', { agentId })).body.token;
