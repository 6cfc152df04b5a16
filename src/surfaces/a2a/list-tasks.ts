import { type ListTasksRequest, type ListTasksResponse, type Task, TaskState } from '@a2a-js/sdk';
import { RequestMalformedError } from '@a2a-js/sdk/errors';
import * as z from 'zod';
import type { RunSummary } from '../../contract/run.ts';
import type { Hub } from '../../hub/hub.ts';
import type { CallerTasks } from './caller-tasks.ts';
import { checkHistoryLength, runStates } from './task.ts';

const DEFAULT_PAGE = 50;
const LONGEST_PAGE = 100;
/** The most that the hub lists at once. */
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
  if (status === TaskState.TASK_STATE_UNSPECIFIED) {
    const { runs, total } = await listRuns({ ...filter, limit: pageSize, offset }, context);
    return { tasks: await Promise.all(runs.map(read)), total };
  }
  // One state of tasks may be several of runs, and a run that waits may be in any of three.
  const states = runStates(status);
  const isUnderWay = states.includes('waiting');
  const limit = isUnderWay ? MOST_MERGED : Math.min(offset + pageSize, MOST_MERGED);
  const lists = await Promise.all(states.map((state) => listRuns({ ...filter, limit, state }, context)));
  const runs = lists.flatMap((list) => list.runs).toSorted(newestFirst);
  const inPage = <T>(items: readonly T[]): T[] => items.slice(offset, offset + pageSize);
  if (isUnderWay) {
    const found = (await Promise.all(runs.map(read))).filter((task) => task.status?.state === status);
    return { tasks: inPage(found), total: found.length };
  }
  return {
    tasks: await Promise.all(inPage(runs).map(read)),
    total: lists.reduce((sum, list) => sum + list.total, 0),
  };
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
