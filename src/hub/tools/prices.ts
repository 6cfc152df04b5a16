import { createHash } from 'node:crypto';
import type { Agent, AgentSummary, AgentTokens } from '../../contract/agent.ts';
import type { ToolDescriptor } from '../../contract/tool.ts';
import type { StoredCounts } from '../../platform/store/stored-counts.ts';
import { compile } from '../../registry/compile.ts';
import { MECHANISM_DESCRIPTORS } from '../../tools/catalogue/mechanisms.ts';
import type { AgentScopes } from './scopes.ts';
import type { View } from '../workspaces/view.ts';

/** The token costs of tools and agents for a client. */
export interface Prices {
  /** Counts each tool as sent to a model: name, description and input schema. */
  tools(descriptors: readonly ToolDescriptor[]): Promise<number[]>;
  /** Counts the listed tools: all of them, or `find_tools` and `call_tool`. */
  shown(available: readonly ToolDescriptor[], view: View): Promise<number>;
  agents(agents: readonly AgentSummary[], view: View): Promise<AgentTokens[]>;
}

export interface PricesOptions {
  counts: StoredCounts;
  scopes: AgentScopes;
  /** A complete agent of the editor. */
  get(id: string): Promise<Agent | null>;
}

export function createPrices({ counts, scopes, get }: PricesOptions): Prices {
  const ofTool = new WeakMap<ToolDescriptor, number>();
  const ofList = new WeakMap<readonly ToolDescriptor[], number>();

  async function tools(descriptors: readonly ToolDescriptor[]): Promise<number[]> {
    const fresh = descriptors.filter((descriptor) => !ofTool.has(descriptor));
    if (fresh.length > 0) {
      const texts = fresh.map(toListing);
      const counted = await counts.count(texts.map((text) => ({ key: hashed(text), text: () => text })));
      fresh.forEach((descriptor, index) => ofTool.set(descriptor, counted[index] ?? 0));
    }
    return descriptors.map((descriptor) => ofTool.get(descriptor) ?? 0);
  }

  async function priceOf(list: readonly ToolDescriptor[]): Promise<number> {
    const sum = (await tools(list)).reduce((total, each) => total + each, 0);
    ofList.set(list, sum);
    return sum;
  }

  const listShown = (available: readonly ToolDescriptor[], searchAbove: number) =>
    available.length > searchAbove ? MECHANISM_DESCRIPTORS : available;

  function promptOf({ id, source, revision, updatedAt }: AgentSummary, view: View) {
    if (source === 'editor') {
      // Cached by revision, so that a list does not load complete agents. After a restore, a revision may have
      // another text.
      return { key: `agent:${id}@${revision} ${updatedAt}`, text: async () => toPrompt(await get(id)) };
    }
    const text = toPrompt(view.merged().byId.get(id)?.agent ?? null);
    return { key: hashed(text), text: () => text };
  }

  return {
    tools,
    async shown(available, view) {
      const list = listShown(available, view.searchAbove());
      return ofList.get(list) ?? priceOf(list);
    },
    async agents(agents, view) {
      const catalogue = await scopes.catalogueOf(view);
      const prompts = await counts.count(agents.map((agent) => promptOf(agent, view)));
      const searchAbove = view.searchAbove();
      const priced: AgentTokens[] = [];
      for (const [index, agent] of agents.entries()) {
        const { available } = scopes.scopeFor(agent, view, catalogue);
        const list = listShown(available, searchAbove);
        // Most agents share a scope: waiting for each would cost more than the rest.
        priced.push({ prompt: prompts[index] ?? 0, tools: ofList.get(list) ?? (await priceOf(list)) });
      }
      return priced;
    },
  };
}

function toListing({ name, description, inputSchema }: ToolDescriptor): string {
  return JSON.stringify({ name, description, inputSchema });
}

/** Persona and skills only; documents and memory vary. */
function toPrompt(agent: Agent | null): string {
  if (!agent) return '';
  const skills = agent.skills.filter(({ enabled }) => enabled);
  return compile({ persona: agent.systemPrompt, skills, documents: [], memories: [] }).system;
}

function hashed(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
