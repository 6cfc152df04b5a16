import { type ListTasksRequest, type ListTasksResponse, type Task, TaskState } from '@a2a-js/sdk';
import { RequestMalformedError } from '@a2a-js/sdk/errors';
import * as z from 'zod';
import type { RunState, RunSummary } from '../../contract/run.ts';
import type { Hub } from '../../hub/hub.ts';
import type { CallerTasks } from './caller-tasks.ts';
import { checkHistoryLength, runStates, stateOf } from './task.ts';

const DEFAULT_PAGE = 50;
const LONGEST_PAGE = 100;
/** The largest page that the hub returns. */
const MOST_MERGED = 1_000;

/** The tasks of a caller, newest first. */
export async function listTasks(
  { operations }: Pick<Hub, 'operations'>,
  request: ListTasksRequest,
  tasks: CallerTasks,
): Promise<ListTasksResponse> {
  const { pageSize = DEFAULT_PAGE, historyLength, includeArtifacts: artifacts = false } = request;
  if (pageSize < 1 || pageSize > LONGEST_PAGE)
    throw new RequestMalformedError(`pageSize must be between 1 and ${LONGEST_PAGE}`);
  if (request.status === TaskState.UNRECOGNIZED) throw new RequestMalformedError('Unknown status.');
  checkHistoryLength(historyLength);
  const offset = parsePageToken(request.pageToken);
  const read = async ({ id }: RunSummary) =>
    tasks.readTask(await tasks.findRun(id), { historyLength, artifacts });
  const page = await readPage(operations, request, { ...tasks, pageSize, offset, read });
  const next = offset + page.tasks.length;
  return {
    tasks: page.tasks,
    nextPageToken: page.tasks.length > 0 && next < page.total ? String(next) : '',
    pageSize,
    totalSize: page.total,
  };
}

interface PageOptions extends CallerTasks {
  pageSize: number;
  offset: number;
  read(run: RunSummary): Promise<Task>;
}

async function readPage(
  { listRuns }: Hub['operations'],
  { contextId, status, statusTimestampAfter }: ListTasksRequest,
  { agentId, context, pageSize, offset, read }: PageOptions,
): Promise<{ tasks: Task[]; total: number }> {
  const filter = {
    agent: agentId,
    surface: 'a2a',
    ...(contextId === '' ? {} : { chat: contextId }),
    ...(statusTimestampAfter === undefined ? {} : { since: parseTime(statusTimestampAfter) }),
  };
  const isAny = status === TaskState.TASK_STATE_UNSPECIFIED;
  const states: readonly (RunState | undefined)[] = isAny ? [undefined] : runStates(status);
  const [state] = states;
  // Runs that wait or have failed can be tasks of several states.
  const isSame = states.length === 1 && state !== 'waiting' && state !== 'failed';
  if (isSame) {
    const { runs, total } = await listRuns({ ...filter, state, limit: pageSize, offset }, context);
    return { tasks: await Promise.all(runs.map(read)), total };
  }
  const lists = await Promise.all(
    states.map((each) => listRuns({ ...filter, limit: MOST_MERGED, state: each }, context)),
  );
  const runs = lists.flatMap((list) => list.runs).toSorted(newestFirst);
  const inPage = <T>(items: readonly T[]): T[] => items.slice(offset, offset + pageSize);
  if (states.includes('waiting')) {
    const found = (await Promise.all(runs.map(read))).filter((task) => task.status?.state === status);
    return { tasks: inPage(found), total: found.length };
  }
  const found = runs.filter((run) => stateOf(run) === status);
  const total = found.length + lists.reduce((sum, list) => sum + list.total - list.runs.length, 0);
  return { tasks: await Promise.all(inPage(found).map(read)), total };
}

const newestFirst = (a: RunSummary, b: RunSummary): number =>
  a.createdAt === b.createdAt ? (a.id < b.id ? -1 : 1) : a.createdAt < b.createdAt ? 1 : -1;

function parseTime(text: string): string {
  const { data } = z.iso.datetime({ offset: true }).safeParse(text);
  if (data !== undefined) return new Date(data).toISOString();
  throw new RequestMalformedError('statusTimestampAfter must be a time of RFC 3339');
}

function parsePageToken(token: string): number {
  if (token === '') return 0;
  if (/^\d{1,6}$/.test(token)) return Number(token);
  throw new RequestMalformedError(`Invalid pageToken "${token}".`);
}
