import * as acp from '@agentclientprotocol/sdk';
import type { HarnessEvent, SessionLaunch } from '../../harness.ts';
import { readInside, writeInside } from '../../workspace.ts';
import type { Terminals } from './terminals.ts';

/** An answer is only kept in the log. */
const MOST_ANSWER = 200_000;
/** Announced calls whose titles are kept in a turn; beyond that, the operator is asked. */
const MOST_TITLES = 1000;
const LONGEST_TITLE = 200;

/** The turn that is running. */
export interface LiveTurn {
  text: string;
  on(event: HarnessEvent): void;
  signal: AbortSignal;
  usage(report: acp.UsageUpdate): void;
  /** Of its tool calls, by their ids. */
  titles: Map<string, string>;
}

/** What the agent may ask of its client: permissions, and files and terminals inside its workspace. */
export function clientFor(
  launch: SessionLaunch,
  terminals: Terminals,
  current: () => LiveTurn | null,
): acp.ClientApp {
  return acp
    .client({ name: 'agent-zoo' })
    .onNotification('session/update', ({ params: { update } }) => {
      const turn = current();
      if (!turn) return;
      if (update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text') {
        turn.text += update.content.text.slice(0, MOST_ANSWER - turn.text.length);
        turn.on({ type: 'text', text: update.content.text });
      } else if (update.sessionUpdate === 'tool_call') {
        // Only these can be tools of the hub, and a permission request may leave out the kind.
        if ((update.kind ?? 'other') === 'other' && turn.titles.size < MOST_TITLES)
          turn.titles.set(update.toolCallId, update.title.slice(0, LONGEST_TITLE));
        turn.on({ type: 'tool', title: update.title, kind: update.kind ?? 'other' });
      } else {
        if (update.sessionUpdate === 'usage_update') turn.usage(update);
        turn.on({ type: 'other' });
      }
    })
    .onRequest('session/request_permission', async ({ params: { toolCall, options } }) => {
      const title = toolCall.title ?? 'a tool';
      const permission = await launch.permit(
        {
          title,
          announced: current()?.titles.get(toolCall.toolCallId),
          kind: toolCall.kind ?? 'other',
          paths: (toolCall.locations ?? []).map(({ path }) => path),
        },
        current()?.signal ?? AbortSignal.abort(),
      );
      const { isAllowed } = permission;
      const wanted = isAllowed ? ['allow_once', 'allow_always'] : ['reject_once', 'reject_always'];
      const option = wanted.map((kind) => options.find((each) => each.kind === kind)).find(Boolean);
      const outcome = option
        ? { outcome: 'selected' as const, optionId: option.optionId }
        : { outcome: 'cancelled' as const };
      if (isAllowed) return { outcome };
      // The protocol has no place for a reason; it is kept with the turn, and handed to agents that look.
      const { reason } = permission;
      current()?.on({ type: 'tool', title: `denied: ${title} (${reason})`, kind: 'permission' });
      return { outcome, _meta: { reason } };
    })
    .onRequest('fs/read_text_file', async ({ params: { path, line, limit } }) => {
      const text = await readInside(launch.folder, path);
      if (line === undefined && limit === undefined) return { content: text };
      const lines = text.split('\n');
      const from = Math.max((line ?? 1) - 1, 0);
      return {
        content: lines
          .slice(from, limit === undefined || limit === null ? undefined : from + limit)
          .join('\n'),
      };
    })
    .onRequest('fs/write_text_file', async ({ params: { path, content } }) => {
      if (launch.readOnly) throw new Error('this member may not write files');
      await writeInside(launch.folder, path, content);
      return {};
    })
    .onRequest('terminal/create', ({ params }) => terminals.create(params, current()?.signal))
    .onRequest('terminal/output', ({ params: { terminalId } }) => terminals.output(terminalId))
    .onRequest('terminal/wait_for_exit', ({ params: { terminalId } }) => terminals.exit(terminalId))
    .onRequest('terminal/kill', async ({ params: { terminalId } }) => {
      await terminals.kill(terminalId);
      return {};
    })
    .onRequest('terminal/release', async ({ params: { terminalId } }) => {
      await terminals.release(terminalId);
      return {};
    });
}
