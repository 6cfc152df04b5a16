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

/** A skill that an agent lists on its card. */
export const planSkill = (agent: string): string => `
[[agents.${agent}.a2a_skills]]
id = "plan"
name = "Plan a trip"
description = "Finds trains."
tags = ["travel"]
examples = ["A weekend in Rome"]
`;

export const boundToken = async ({ hub }: Stage, agentId = 'planner'): Promise<string> =>
  (await hub.request('POST', '/api/tokens', { agentId })).body.token;
