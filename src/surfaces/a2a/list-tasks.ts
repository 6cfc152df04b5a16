import { type ListTasksRequest, type ListTasksResponse, TaskState } from '@a2a-js/sdk';
import { RequestMalformedError } from '@a2a-js/sdk/errors';
import type { RunSummary } from '../../contract/run.ts';
import type { Hub } from '../../hub/hub.ts';
import type { CallerTasks } from './caller-tasks.ts';
import { runStates, taskOf } from './task.ts';

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
  const offset = parsePageToken(request.pageToken);
  const { runs: page, total } = await readPage(operations, request, { ...tasks, pageSize, offset });
  const runs = await Promise.all(page.map(({ id }) => tasks.findRun(id)));
  const next = offset + page.length;
  return {
    tasks: runs.map((run) => taskOf(run, { historyLength, artifacts })),
    nextPageToken: page.length > 0 && next < total ? String(next) : '',
    pageSize,
    totalSize: total,
  };
}

async function readPage(
  { listRuns }: Hub['operations'],
  { contextId, status, statusTimestampAfter }: ListTasksRequest,
  { agentId, context, pageSize, offset }: CallerTasks & { pageSize: number; offset: number },
): Promise<{ runs: RunSummary[]; total: number }> {
  const filter = {
    agent: agentId,
    surface: 'a2a',
    ...(contextId === '' ? {} : { chat: contextId }),
    ...(statusTimestampAfter === undefined ? {} : { since: statusTimestampAfter }),
  };
  const page = { limit: pageSize, offset };
  if (status === TaskState.TASK_STATE_UNSPECIFIED) return listRuns({ ...filter, ...page }, context);
  const [state, ...others] = runStates(status);
  if (!state) return { runs: [], total: 0 };
  if (others.length === 0) return listRuns({ ...filter, ...page, state }, context);
  // Two states of runs are one of tasks: their lists are merged.
  const limit = Math.min(offset + pageSize, MOST_MERGED);
  const lists = await Promise.all(
    [state, ...others].map((each) => listRuns({ ...filter, limit, state: each }, context)),
  );
  return {
    runs: lists
      .flatMap(({ runs }) => runs)
      .toSorted(newestFirst)
      .slice(offset, offset + pageSize),
    total: lists.reduce((sum, list) => sum + list.total, 0),
  };
}

const newestFirst = (a: RunSummary, b: RunSummary): number =>
  a.createdAt === b.createdAt ? (a.id < b.id ? -1 : 1) : a.createdAt < b.createdAt ? 1 : -1;

function parsePageToken(token: string): number {
  if (token === '') return 0;
  if (/^\d{1,6}$/.test(token)) return Number(token);
  throw new RequestMalformedError(`Invalid pageToken "${token}".`);
}
