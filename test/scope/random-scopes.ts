import * as fc from 'fast-check';
import type { Tool, ToolDescriptor, ToolOrigin } from '../../src/contract/tool.ts';
import { toolNames } from '../../src/tools/catalogue/tool-names.ts';

/** The tools, groups and agents of one hub. */
export interface World {
  tools: Tool[];
  groups: Record<string, string[]>;
  /** Whether groups may contain themselves; then only the hub knows which entries it drops. */
  cyclic: boolean;
  searchAbove: number;
  agents: { source: 'toml' | 'markdown' | 'editor'; tools: string[] | null }[];
}

const SERVERS = ['a', 'ab', 'a_', 'a__b', 'git.hub', 'größe', 'S-1'];
const NAMES = ['x', 'y', '_x', 'list', 'b__x', 'x.y', 'X', 'delete_all', `long_${'z'.repeat(70)}`, '💥'];
const ALONE = ['x', 'a__x', 'a__b__x', 'search', 'find_tools', 'call_tool', 'publish', 'ab__y'];
const BUILTINS = ['search', 'get', 'agent_zoo_inject', 'agent_zoo_set_current', 'agent_zoo_list_agents'];
const GLOBS = [
  '*',
  'a.*',
  'a__*',
  '*x',
  'a*x',
  'git*',
  '*.*',
  '*__*',
  'agent_zoo_*',
  '*get*',
  '**',
  '*a*b*x',
  'S-1.*',
];
const GROUPS = ['g0', 'g1', 'g2', 'g3'];

function makeTool(origin: ToolOrigin, server: string | null, name: string, readOnly: boolean): Tool {
  return {
    descriptor: {
      ...toolNames(server, name),
      title: name,
      description: `What ${name} does.`,
      origin,
      inputSchema: { type: 'object', properties: { subject: { type: 'string' } } },
      annotations: {
        readOnlyHint: readOnly,
        destructiveHint: false,
        idempotentHint: false,
        openWorldHint: false,
      },
    },
    execute: async () => ({ content: [{ type: 'text', text: `${origin} ${server ?? ''} ${name}` }] }),
  };
}

const tool: fc.Arbitrary<Tool> = fc.oneof(
  fc
    .tuple(fc.constantFrom(...SERVERS), fc.constantFrom(...NAMES), fc.boolean())
    .map(([server, name, readOnly]) => makeTool('upstream', server, name, readOnly)),
  fc
    .tuple(fc.constantFrom<ToolOrigin>('script', 'published'), fc.constantFrom(...ALONE), fc.boolean())
    .map(([origin, name, readOnly]) => makeTool(origin, null, name, readOnly)),
);

const toolName: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom(...SERVERS), fc.constantFrom(...NAMES), fc.boolean())
  .map(([server, name, wire]) => toolNames(server, name)[wire ? 'name' : 'displayName']);

const body = (groups: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof(
    { arbitrary: toolName, weight: 4 },
    { arbitrary: fc.constantFrom(...ALONE, ...BUILTINS), weight: 3 },
    { arbitrary: fc.constantFrom(...GLOBS), weight: 3 },
    ...(groups.length > 0 ? [{ arbitrary: fc.constantFrom(...groups), weight: 2 }] : []),
    { arbitrary: fc.constantFrom('nothing', 'a.nothing', 'Search', '', '!', 'constructor'), weight: 1 },
  );

const entry = (groups: readonly string[]): fc.Arbitrary<string> =>
  fc
    .tuple(body(groups), fc.integer({ min: 0, max: 3 }))
    .map(([text, sign]) => (sign === 0 ? `!${text}` : text))
    // A list of tools has no empty entries.
    .filter((text) => text !== '');

const entries = (groups: readonly string[], most: number): fc.Arbitrary<string[]> =>
  fc.array(entry(groups), { maxLength: most });

const groupsOf = (cyclic: boolean): fc.Arbitrary<Record<string, string[]>> =>
  fc
    .tuple(...GROUPS.map((_, index) => entries(cyclic ? GROUPS : GROUPS.slice(index + 1), 4)))
    .map((lists) => Object.fromEntries(lists.map((list, index) => [GROUPS[index] ?? '', list])));

/** Worlds with this many agents; each agent is a case. */
export const worlds = (agents: number): fc.Arbitrary<World> =>
  fc.integer({ min: 0, max: 4 }).chain((chance) =>
    fc.record({
      tools: fc.array(tool, { maxLength: 14 }),
      groups: groupsOf(chance === 0),
      cyclic: fc.constant(chance === 0),
      searchAbove: fc.constantFrom(0, 2, 5, 40),
      agents: fc.array(
        fc.record({
          source: fc.constantFrom<World['agents'][number]['source']>('toml', 'toml', 'markdown', 'editor'),
          tools: fc.option(entries(GROUPS, 5), { freq: 10, nil: null }),
        }),
        { minLength: agents, maxLength: agents },
      ),
    }),
  );

const ORDER: readonly ToolOrigin[] = ['builtin', 'script', 'published', 'upstream'];

/** A naive catalogue: of several tools with one name, the first in order wins. */
export function survivors(tools: readonly ToolDescriptor[]): ToolDescriptor[] {
  const names = [...new Set(tools.map(({ name }) => name))];
  return names
    .filter((name) => name !== 'find_tools' && name !== 'call_tool')
    .flatMap((name) => {
      const same = tools.filter((each) => each.name === name);
      const origin = ORDER.find((kind) => same.some((each) => each.origin === kind));
      return same.filter((each) => each.origin === origin).slice(0, 1);
    });
}

/** A naive scope check that shares no code with the hub. */
export function gives(
  list: readonly string[] | null,
  subject: ToolDescriptor,
  groups: Record<string, string[]>,
): boolean {
  if (list === null) return subject.origin === 'builtin' && subject.annotations.readOnlyHint;
  const means = (text: string): boolean => {
    const group = Object.hasOwn(groups, text) ? groups[text] : undefined;
    if (group) return gives(group, subject, groups);
    return [subject.name, subject.displayName].some((name) => fits(text, name));
  };
  const given = list.filter((each) => !each.startsWith('!')).some(means);
  const taken = list.filter((each) => each.startsWith('!')).some((each) => means(each.slice(1)));
  return given && !taken;
}

function fits(pattern: string, name: string): boolean {
  if (pattern === '') return name === '';
  const [head, rest] = [pattern[0], pattern.slice(1)];
  if (head === '*') return fits(rest, name) || (name !== '' && fits(pattern, name.slice(1)));
  return head === name[0] && fits(rest, name.slice(1));
}
