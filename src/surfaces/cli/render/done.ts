/** One line for what was created or changed. */
export function renderDone(verb: string, agent: { id: string; name: string; revision: number }): string {
  return `${verb} ${agent.id} (${agent.name}), revision ${agent.revision}`;
}
