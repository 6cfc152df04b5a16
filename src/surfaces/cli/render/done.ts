import { terminalLine } from '../../../platform/text/terminal-text.ts';

/** One line about an agent that was created or changed. */
export function renderDone(verb: string, agent: { id: string; name: string; revision: number }): string {
  return `${verb} ${agent.id} (${terminalLine(agent.name)}), revision ${agent.revision}`;
}
