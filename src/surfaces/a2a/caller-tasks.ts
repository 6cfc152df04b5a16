import type { Task } from '@a2a-js/sdk';
import type { CallContext } from '../../contract/call.ts';
import type { Run } from '../../contract/run.ts';
import type { TaskParts } from './task.ts';

/** The tasks of one agent that one caller may see. */
export interface CallerTasks {
  agentId: string;
  context: CallContext;
  /** Throws for a task that the caller may not see. */
  findRun(id: string): Promise<Run>;
  /** The task of a run, with the question that it waits for. */
  readTask(run: Run, parts?: TaskParts): Promise<Task>;
}
