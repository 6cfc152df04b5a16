import type { SessionUpdate, StopReason } from '@agentclientprotocol/sdk';
import type { CallContext } from '../../contract/call.ts';
import type { Chat } from '../../contract/chat.ts';
import type { Hub } from '../../hub/hub.ts';
import type { Permissions } from './permissions.ts';
import { partContent } from './prompt-parts.ts';
import { createRunUpdates } from './run-updates.ts';
import { createStopReason } from './stop-reason.ts';

export interface FollowerOptions {
  cwd: string;
  context: CallContext;
  notify(update: SessionUpdate): Promise<void>;
  permissions: Permissions;
  /** Whether the editor shows notices. */
  notices: boolean;
}

/** Sends the runs of a chat to the editor. */
export interface Follower {
  /** Until the run ends. The same run is followed once, however many prompts joined it. */
  follow(runId: string): Promise<StopReason>;
  /** Everything that was said so far; a turn under way goes on after that. */
  replay(chat: Pick<Chat, 'branch' | 'history'>): Promise<void>;
}

export function createFollower({ operations }: Pick<Hub, 'operations'>, options: FollowerOptions): Follower {
  const { cwd, context, notify, permissions, notices } = options;
  const following = new Map<string, Promise<StopReason>>();

  async function stream(runId: string): Promise<StopReason> {
    const updates = createRunUpdates({ runId, cwd, notices });
    const reason = createStopReason();
    for await (const { event } of operations.followRun({ id: runId }, context)) {
      reason.add(event);
      for (const update of updates(event)) await notify(update);
      if (event.type === 'approval-requested') permissions.ask(event);
      if (event.type === 'approval-answered') permissions.settled(event.questionId);
      if (event.type === 'done') break;
    }
    permissions.settleAll();
    return reason.result();
  }

  function follow(runId: string): Promise<StopReason> {
    const known = following.get(runId);
    if (known) return known;
    const streaming = stream(runId).finally(() => following.delete(runId));
    following.set(runId, streaming);
    return streaming;
  }

  async function replayTurn(runId: string): Promise<void> {
    const updates = createRunUpdates({ runId, cwd, notices: false });
    for await (const { event } of operations.followRun({ id: runId }, context)) {
      for (const update of updates(event)) await notify(update);
      if (event.type === 'done') return;
    }
  }

  return {
    follow,
    async replay({ branch, history }) {
      for (const runId of branch) {
        const turn = history.find((each) => each.runId === runId);
        for (const part of turn?.input ?? []) {
          await notify({ sessionUpdate: 'user_message_chunk', content: partContent(part) });
        }
        if (turn && isOver(turn)) await replayTurn(runId);
      }
      const active = history.find((turn) => !isOver(turn));
      // After the answer to the request that loads the session.
      if (active) setImmediate(() => void follow(active.runId).catch(() => undefined));
    },
  };
}

const isOver = ({ state }: Chat['history'][number]): boolean =>
  state !== 'queued' && state !== 'running' && state !== 'waiting';
