import * as z from 'zod';
import { ZooError } from '../../contract/errors.ts';
import { TeamBudget } from '../../contract/team.ts';
import type { Tool, ToolCall, ToolResult } from '../../contract/tool.ts';
import { createCallRate } from '../../teams/call-rate.ts';
import { nameOf, reachableFrom } from '../../teams/state/reach.ts';
import type { Member, MemberSpec, TeamState, Turn } from '../../teams/state/team-state.ts';
import type { TeamActor } from '../../teams/team-actor.ts';
import type { TeamStore } from '../../teams/team-store.ts';
import { defineTool } from '../../tools/define-tool.ts';

export interface TeamToolsOptions {
  store: TeamStore;
  /** The team of the caller. Throws for anybody but a member. */
  teamOf(call: ToolCall): { actor: TeamActor; member: Member };
  /** Checks agent, harness and folder of a child. */
  plan(asked: Spawn, parent: Member, state: TeamState): Promise<MemberSpec>;
  now: () => number;
}

const text = { type: 'string' };
const Spawn = z.object({
  name: z.string(),
  instructions: z.string().min(1),
  role: z.enum(['worker', 'reviewer']).default('worker'),
  workspace_subdir: z.string().nullable().default(null),
  agent: z.string().optional(),
  harness: z.string().optional(),
  budget: TeamBudget.optional(),
});
export type Spawn = z.output<typeof Spawn>;

const WAIT =
  'The reply will arrive as your next message. End your turn now; do not call check_inbox to wait for it.';

/** The tools of seed 003, for members only. Each returns at once, whatever the recipient does. */
export function createTeamTools(options: TeamToolsOptions): readonly Tool[] {
  const rate = createCallRate(options.now);
  const limited = (call: ToolCall) => {
    const found = options.teamOf(call);
    rate(found.member.id, found.actor.state().team.limits.callsPerMinute);
    return found;
  };
  return [
    ...mailTools(options, limited),
    spawnTool(options, limited),
    ...viewTools(options, limited),
    defineTool(
      {
        name: 'complete',
        title: 'Complete the task',
        description:
          'Reports that your whole task is finished. Your parent gets the result, and your work ends with this turn.',
        properties: { result: { ...text, description: 'What your parent should know.' } },
        required: ['result'],
        answers: { status: text },
        effect: 'sets',
      },
      z.object({ result: z.string().min(1).max(100_000) }),
      async ({ result }, call) => {
        const { actor, member } = limited(call);
        await actor.dispatch({ type: 'complete', member: member.id, result });
        return answer({ status: 'completed' }, 'Your result is delivered when your turn ends. End it now.');
      },
    ),
  ];
}

type Limited = (call: ToolCall) => { actor: TeamActor; member: Member };

function mailTools({ store }: TeamToolsOptions, limited: Limited): Tool[] {
  return [
    defineTool(
      {
        name: 'send_message',
        title: 'Send a message',
        description:
          'Sends a message to another agent: your parent, a child or a sibling; the root can also write to "user". Returns at once. With sync, the reply arrives as your next message.',
        properties: {
          recipient: { ...text, description: 'Agent name.' },
          text: { ...text, description: 'Message body.' },
          sync: { type: 'boolean', default: true, description: 'Whether you need a reply.' },
          reply_to: { ...text, description: 'The id of the message that this one answers.' },
        },
        required: ['recipient', 'text'],
        answers: { status: text, message_id: text, waiting_for_reply: { type: 'boolean' } },
        effect: 'adds',
      },
      z.object({
        recipient: z.string(),
        text: z.string(),
        sync: z.boolean().default(true),
        reply_to: z.string().optional(),
      }),
      async ({ recipient, text: body, sync, reply_to: replyTo }, call) => {
        const { actor, member } = limited(call);
        if (replyTo !== undefined) await requireAddressed(store, replyTo, member, recipient, actor.state());
        const { id } = await actor.dispatch({
          type: 'send',
          from: member.id,
          to: recipient,
          text: body,
          // An answer ends the exchange unless the caller asks for more.
          sync: sync && replyTo === undefined,
          replyTo: replyTo ?? null,
        });
        const waiting = sync && replyTo === undefined;
        return answer(
          { status: 'sent', message_id: id, waiting_for_reply: waiting },
          waiting ? WAIT : 'The message is on its way; there is nothing to wait for.',
        );
      },
    ),
    defineTool(
      {
        name: 'broadcast',
        title: 'Send to all siblings',
        description:
          'Sends a message to all siblings in the team; from the root, to all its children. Replies arrive as separate messages.',
        properties: { text },
        required: ['text'],
        answers: { status: text, message_id: text, recipient_count: { type: 'integer' } },
        effect: 'adds',
      },
      z.object({ text: z.string() }),
      async ({ text: body }, call) => {
        const { actor, member } = limited(call);
        const { id, recipients } = await actor.dispatch({ type: 'broadcast', from: member.id, text: body });
        return answer({ status: 'sent', message_id: id, recipient_count: recipients });
      },
    ),
    defineTool(
      {
        name: 'check_inbox',
        title: 'Check the inbox',
        description:
          'Gets messages that arrived during this turn. Never call it to wait: new messages wake you after your turn.',
        properties: {},
        required: [],
        answers: { messages: { type: 'array' } },
        effect: 'sets',
      },
      z.object({}),
      async (_args, call) => {
        const { actor, member } = limited(call);
        const { messages = [] } = await actor.dispatch({ type: 'check-inbox', member: member.id });
        const { members } = actor.state();
        const list = messages.map((message) => ({
          from: nameOf(members, message.from),
          text: message.text,
          message_id: message.id,
        }));
        const words = 'Nothing to wait for here: end your turn when you have nothing else to do.';
        return answer({ messages: list }, list.length === 0 ? words : undefined);
      },
    ),
  ];
}

/** The id of a message is no secret: only its recipient may answer it, and only to its sender. */
async function requireAddressed(
  store: TeamStore,
  id: string,
  { id: memberId }: Member,
  recipient: string,
  { members }: TeamState,
): Promise<void> {
  const asked = await store.message(id);
  if (asked?.to === memberId && nameOf(members, asked.from) === recipient) return;
  throw new ZooError('invalid_arguments', `reply_to: '${id}' is not a message from '${recipient}' to you.`);
}

function spawnTool({ plan }: TeamToolsOptions, limited: Limited): Tool {
  return defineTool(
    {
      name: 'spawn_agent',
      title: 'Spawn a subagent',
      description:
        'Creates a subagent with a task. It starts as soon as there is room; you are told when it completes or fails.',
      properties: {
        name: text,
        instructions: { ...text, description: 'Its task.' },
        role: { type: 'string', enum: ['worker', 'reviewer'], default: 'worker' },
        workspace_subdir: { type: ['string', 'null'], description: 'Subdirectory of your workspace.' },
        agent: { ...text, description: 'The agent definition it follows; none by default.' },
        harness: { ...text, description: 'What runs it; yours by default.' },
        budget: { type: 'object', description: 'Limits: tokens, usd, turns.' },
      },
      required: ['name', 'instructions'],
      answers: { status: text, agent_id: text, name: text },
      effect: 'adds',
    },
    Spawn,
    async (asked, call) => {
      const { actor, member } = limited(call);
      const spec = await plan(asked, member, actor.state());
      const { id } = await actor.dispatch({ type: 'spawn', parent: member.id, spec });
      return answer({ status: 'created', agent_id: id, name: asked.name });
    },
  );
}

const RECENT_TURNS = 5;
const SHOWN = 2_000;

function viewTools({ store, teamOf }: TeamToolsOptions, limited: Limited): Tool[] {
  return [
    defineTool(
      {
        name: 'inspect_agent',
        title: 'Inspect a subagent',
        description: "Shows a subagent's state, its unread messages and its last turns, newest first.",
        properties: { name: text },
        required: ['name'],
        answers: { state: text, recent_messages: { type: 'array' } },
        effect: 'reads',
      },
      z.object({ name: z.string() }),
      async ({ name }, call) => {
        const { actor, member } = limited(call);
        const { members, messages } = actor.state();
        const children = [...members.values()].filter(({ parent }) => parent === member.id);
        const child = children.find((each) => each.name === name);
        if (!child) {
          const names = children.map((each) => each.name).join(', ') || 'none';
          throw new ZooError('unreachable_member', `'${name}' is not a subagent of yours. Yours: ${names}.`);
        }
        const unread = [...messages.values()]
          .filter(({ to, state }) => to === child.id && state === 'queued')
          .toReversed()
          .map((each) => ({
            kind: 'unread',
            from: nameOf(members, each.from),
            text: each.text.slice(0, SHOWN),
            message_id: each.id,
          }));
        const turns = (await store.turns(child.id, RECENT_TURNS)).map(describeTurn);
        return answer({ state: child.state, recent_messages: [...unread.slice(0, 20), ...turns] });
      },
    ),
    defineTool(
      {
        name: 'list_team',
        title: 'List the team',
        description: 'Lists the agents that you can reach, with their states.',
        properties: {},
        required: [],
        answers: { you: text, members: { type: 'array' } },
        effect: 'reads',
      },
      z.object({}),
      async (_args, call) => {
        const { actor, member } = teamOf(call);
        const near = reachableFrom(actor.state().members, member).map(
          ({ id, name, role, state, parent }) => ({
            name,
            role,
            state,
            relation: id === member.parent ? 'parent' : parent === member.id ? 'child' : 'sibling',
          }),
        );
        return answer({ you: member.name, members: near });
      },
    ),
  ];
}

function describeTurn({ number, state, prompt, answer: said, activity, spent, startedAt, endedAt }: Turn) {
  return {
    kind: 'turn',
    number,
    state,
    prompt: prompt?.slice(0, SHOWN) ?? null,
    tools: activity.slice(-20).map(({ title }) => title),
    answer: said?.slice(0, SHOWN) ?? null,
    usd: spent.usd,
    seconds: endedAt === null ? null : (endedAt - startedAt) / 1000,
  };
}

function answer(value: Record<string, unknown>, words?: string): ToolResult {
  return {
    content: [
      { type: 'text', text: JSON.stringify(value) },
      ...(words === undefined ? [] : [{ type: 'text' as const, text: words }]),
    ],
    structuredContent: value,
  };
}
