import type { AgentSummary } from '../../contract/agent.ts';
import type { CallContext } from '../../contract/call.ts';
import type { ResourceProvider } from '../../contract/offers/resource.ts';
import { describeAgent } from './agent-prompts.ts';
import { agentsFor } from './agents-for.ts';
import type { AgentDirectory } from './agent-directory.ts';
import type { ResolveAgent } from './resolve-agent.ts';

const SCHEME = 'skill://';
const FILE = '/SKILL.md';
const MARKDOWN = 'text/markdown';
const SKILL_NAME = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const MAX_DESCRIPTION = 1024;

/** An entry of `skills/list` (SEP-2640). */
export interface SkillEntry {
  uri: string;
  frontmatter: { name: string; description: string };
}

interface AgentSkills {
  list(context: CallContext): Promise<SkillEntry[]>;
  files: ResourceProvider;
}

/** Every agent as a skill (SEP-2640): a `SKILL.md` with its prompt. */
export function createAgentSkills(directory: AgentDirectory, resolve: ResolveAgent): AgentSkills {
  const list = async (context: CallContext): Promise<SkillEntry[]> =>
    (await agentsFor(directory, context)).map(toSkill);

  return {
    list,
    files: {
      // Listed by `skills/list` only, so that the resource list has no duplicates.
      list: async () => [],
      templates: async () => [
        {
          uriTemplate: `${SCHEME}{+path}`,
          name: 'skills',
          title: 'Agents as skills',
          description: 'The SKILL.md of an agent.',
          mimeType: MARKDOWN,
        },
      ],
      async read(uri, context) {
        const id = uri.startsWith(SCHEME) ? uri.slice(SCHEME.length).split('/')[0] : undefined;
        if (id === undefined) return null;
        const [agent] = await agentsFor(directory, context, id);
        if (!agent || skillUri(agent.id) !== uri) return null;
        return [{ uri, mimeType: MARKDOWN, text: await document(agent, context) }];
      },
      complete: async () => null,
    },
  };

  async function document(agent: AgentSummary, context: CallContext): Promise<string> {
    // Replacing a placeholder by itself keeps it, for the user of the skill to fill in.
    const open = agent.arguments.filter((each) => each.required && each.default === undefined);
    const args = Object.fromEntries(open.map(({ name }) => [name, `{{${name}}}`]));
    const { system, messages } = await resolve(agent.id, args, context);
    const { name, description } = toSkill(agent).frontmatter;
    const front = `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---`;
    const places = open.map(
      ({ name: place, description: what }) => `- \`{{${place}}}\`${what && `: ${what}`}`,
    );
    const fillIn = places.length > 0 ? [`Fill in before you start:\n\n${places.join('\n')}`] : [];
    return `${[front, ...fillIn, system, ...messages.map(({ content }) => content)].filter(Boolean).join('\n\n')}\n`;
  }
}

function toSkill(agent: AgentSummary): SkillEntry {
  const uri = skillUri(agent.id);
  const name = uri.slice(SCHEME.length, -FILE.length).split('/').at(-1) ?? '';
  return { uri, frontmatter: { name, description: describeAgent(agent).slice(0, MAX_DESCRIPTION) } };
}

/** The last segment must be the skill's name, which is stricter than our ids; if they differ, the id comes first. */
function skillUri(id: string): string {
  if (SKILL_NAME.test(id)) return SCHEME + id + FILE;
  const name = id.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  return `${SCHEME}${id}/${name}${FILE}`;
}
