import type { AgentContext, ClientCapabilities, SessionUpdate, StopReason } from '@agentclientprotocol/sdk';
import type { CallContext } from '../../contract/call.ts';
import type { Chat } from '../../contract/chat.ts';
import type { UserPart } from '../../contract/run.ts';
import type { Hub, OfferedServer } from '../../hub/hub.ts';
import { createEditorTools } from './editor-tools.ts';
import { invalidParams } from './errors.ts';
import { createPermissions } from './permissions.ts';
import { createFollower } from './follow-runs.ts';
import { availableCommands, expandCommand } from './slash-commands.ts';
import { changeSetting, sessionSettings, type SessionSettings } from './session-settings.ts';

/** The editor at the other end of a connection. */
export interface Editor {
  client: AgentContext;
  capabilities: ClientCapabilities;
  log(message: string, error: unknown): void;
}

export interface SessionOptions {
  editor: Editor;
  /** Of the session's workspace; `client` is the session's own. */
  context: CallContext & { client: string };
  cwd: string;
  servers: readonly OfferedServer[];
  /** Whether the editor may choose the agent. */
  anyAgent: boolean;
}

/** A chat that is open in an editor. */
export interface EditorSession {
  settings(): Promise<SessionSettings>;
  change(id: string, value: unknown): Promise<SessionSettings>;
  /** Sends the conversation so far; an active turn continues after that. */
  replay(chat: Chat): Promise<void>;
  /** Sends the commands of the agent. */
  announce(): void;
  prompt(parts: readonly UserPart[]): Promise<StopReason>;
  cancel(): Promise<void>;
  close(): void;
}

/** One function, since everything here belongs to the same chat and the same editor. */
export async function openSession(hub: Hub, chatId: string, options: SessionOptions): Promise<EditorSession> {
  const { operations } = hub;
  const { editor, context, cwd, servers, anyAgent } = options;
  const { client, capabilities, log } = editor;
  let cancelled = 0;
  let isClosed = false;

  const notify = (update: SessionUpdate): Promise<void> =>
    client.notify('session/update', { sessionId: chatId, update });
  const read = () => operations.getChat({ id: chatId }, context);
  const agentNow = async () => operations.getAgent({ id: (await read()).agentId }, context);
  const permissions = createPermissions(hub, {
    sessionId: chatId,
    cwd,
    context,
    client,
    isEditable: async () => (await agentNow()).source === 'editor',
    log,
  });

  async function offerTools(agent: string): Promise<void> {
    const tools = createEditorTools({ sessionId: chatId, cwd, client, capabilities, notify });
    // Servers are commands to run, and URLs in this machine's network: only the operator may add them.
    const wanted = context.caller.kind === 'operator' ? servers : [];
    const problems = await hub.clientTools.offer(tools, wanted, { ...context, agent });
    for (const problem of problems) log(problem, null);
    if (isClosed) hub.clientGone(context.client);
  }

  async function announceCommands(): Promise<void> {
    const commands = availableCommands(await agentNow());
    await notify({ sessionUpdate: 'available_commands_update', availableCommands: commands });
  }

  const { follow, turnAfter, replay } = createFollower(hub, {
    cwd,
    context,
    notify,
    permissions,
    notices: Boolean(capabilities.session?.notices),
  });

  await offerTools((await read()).agentId);
  const settings = async () => sessionSettings(hub, await read(), context, anyAgent);

  return {
    settings,
    async change(id, value) {
      const { configOptions } = await settings();
      await changeSetting(hub, await read(), { id, value, offered: configOptions }, context);
      if (id === 'agent') {
        await offerTools((await read()).agentId);
        await announceCommands();
      }
      return settings();
    },
    replay,
    announce() {
      // Sent after the response with the id of the session.
      setImmediate(
        () => void announceCommands().catch((error: unknown) => log('commands were not sent', error)),
      );
    },
    async prompt(parts) {
      const before = cancelled;
      const message = await expandCommand(parts, await agentNow());
      if (message.length === 0) throw invalidParams('The prompt is empty.');
      const sent = await operations.sendMessage({ id: chatId, body: { message } }, context);
      if (cancelled !== before) await operations.cancelTurn({ id: chatId }, context);
      const { reason, joined } = await follow(sent.runId);
      if (!sent.joined || reason === 'cancelled' || joined.includes(textOf(message))) return reason;
      // A message that arrived too late for the run becomes the next turn.
      const next = await turnAfter(chatId, sent.turn);
      return next === null ? reason : (await follow(next)).reason;
    },
    async cancel() {
      cancelled += 1;
      permissions.settleAll();
      await operations.cancelTurn({ id: chatId }, context);
    },
    close() {
      isClosed = true;
      permissions.settleAll();
      hub.clientGone(context.client);
    },
  };
}

/** The text by which the event of a joined message is recognised. */
const textOf = (parts: readonly UserPart[]): string =>
  parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
