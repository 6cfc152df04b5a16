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

export interface FollowedRun {
  reason: StopReason;
  /** The messages that joined it. */
  joined: readonly string[];
}

/** Sends the runs of a chat to the editor. */
export interface Follower {
  /** Resolves when the run ends. A run is followed once, however many prompts have joined it. */
  follow(runId: string): Promise<FollowedRun>;
  /** The turn that follows another one, once it has started; null if the chat was deleted. */
  turnAfter(chatId: string, turn: number): Promise<string | null>;
  /** The conversation so far; an active turn continues after that. */
  replay(chat: Pick<Chat, 'branch' | 'history'>): Promise<void>;
}

export function createFollower({ operations }: Pick<Hub, 'operations'>, options: FollowerOptions): Follower {
  const { cwd, context, notify, permissions, notices } = options;
  const following = new Map<string, Promise<FollowedRun>>();

  async function stream(runId: string): Promise<FollowedRun> {
    const joined: string[] = [];
    const updates = createRunUpdates({ runId, cwd, notices });
    const reason = createStopReason();
    for await (const { event } of operations.followRun({ id: runId }, context)) {
      reason.add(event);
      for (const update of updates(event)) await notify(update);
      if (event.type === 'message-joined') joined.push(event.text);
      if (event.type === 'approval-requested') permissions.ask(event);
      if (event.type === 'approval-answered') permissions.settled(event.questionId);
      if (event.type === 'done') break;
    }
    permissions.settleAll();
    return { reason: reason.result(), joined };
  }

  function follow(runId: string): Promise<FollowedRun> {
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
    async turnAfter(chatId, turn) {
      for await (const { runId, event } of operations.followChat({ id: chatId }, context)) {
        if (event.type === 'turn-started' && event.turn > turn) return runId;
      }
      return null;
    },
    async replay({ branch, history }) {
      for (const runId of branch) {
        const turn = history.find((each) => each.runId === runId);
        for (const part of turn?.input ?? []) {
          await notify({ sessionUpdate: 'user_message_chunk', content: partContent(part) });
        }
        if (turn && isOver(turn)) await replayTurn(runId);
      }
      const active = history.find((turn) => !isOver(turn));
      // Sent after the response to the request that loads the session.
      if (active) setImmediate(() => void follow(active.runId).catch(() => undefined));
    },
  };
}

const isOver = ({ state }: Chat['history'][number]): boolean =>
  state !== 'queued' && state !== 'running' && state !== 'waiting';
