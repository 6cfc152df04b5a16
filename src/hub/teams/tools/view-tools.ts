import * as z from 'zod';
import type { Tool } from '../../../contract/tool.ts';
import { nameOf, reachableFrom } from '../../../teams/state/reach.ts';
import type { Turn } from '../../../teams/state/team-state.ts';
import type { TeamStore } from '../../../teams/team-store.ts';
import { defineTool } from '../../../tools/define-tool.ts';
import { answer, childNamed, type MemberCall, text } from './member-call.ts';

const RECENT_TURNS = 5;
const SHOWN = 2_000;

/** Looking at others. */
export function createViewTools(store: TeamStore, limited: MemberCall): Tool[] {
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
        const child = childNamed(actor, member, name);
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
        const { actor, member } = limited(call);
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
