import type { ListSessionsResponse } from '@agentclientprotocol/sdk';
import type { CallContext } from '../../contract/call.ts';
import type { ChatSummary } from '../../contract/chat.ts';
import type { Hub } from '../../hub/hub.ts';
import { invalidParams } from './errors.ts';

const PAGE = 50;
const MOST_LISTED = 1_000;

export interface ListedSessions {
  /** Only chats of this workspace. */
  workspace: string | null;
  cursor: string | null | undefined;
  isOpenable(chat: ChatSummary): boolean;
}

/** The chats that the editor can load, the last used first. */
export async function listSessions(
  { operations }: Pick<Hub, 'operations'>,
  { workspace, cursor, isOpenable }: ListedSessions,
  context: CallContext,
): Promise<ListSessionsResponse> {
  const from = cursor ? Number(cursor) : 0;
  if (!Number.isSafeInteger(from) || from < 0)
    throw invalidParams(`Invalid cursor ${JSON.stringify(cursor)}.`);
  const [{ chats }, { workspaces }] = await Promise.all([
    operations.listChats({ limit: MOST_LISTED, ...(context.agent ? { agent: context.agent } : {}) }, context),
    operations.listWorkspaces({}, context),
  ]);
  const paths = new Map(workspaces.map(({ id, path }) => [id, path]));
  const found = chats.flatMap((chat) => {
    const cwd = paths.get(chat.workspace);
    const isWanted = isOpenable(chat) && (workspace === null || chat.workspace === workspace);
    return cwd === undefined || !isWanted ? [] : [{ chat, cwd }];
  });
  return {
    sessions: found.slice(from, from + PAGE).map(({ chat, cwd }) => ({
      sessionId: chat.id,
      cwd,
      title: chat.title === '' ? null : chat.title,
      updatedAt: chat.updatedAt,
    })),
    ...(found.length > from + PAGE ? { nextCursor: String(from + PAGE) } : {}),
  };
}
