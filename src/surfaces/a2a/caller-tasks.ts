import type { CallContext } from '../../contract/call.ts';
import type { Run } from '../../contract/run.ts';

/** The tasks of one agent that one caller may see. */
export interface CallerTasks {
  agentId: string;
  context: CallContext;
  /** Throws for a task that the caller may not see. */
  findRun(id: string): Promise<Run>;
}
