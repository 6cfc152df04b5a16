import { AgentCard, type AgentInterface, AgentSkill } from '@a2a-js/sdk';
import type { Agent } from '../../contract/agent.ts';
import type { A2ASettings } from '../../hub/hub.ts';

export const PROTOCOL_VERSIONS = ['1.0', '0.3'] as const;
/** Every part of a message is text for the model, or a file. */
const INPUT_MODES = ['text/plain', 'application/json', 'image/png', 'image/jpeg', 'application/pdf'];

export interface CardPlace {
  /** Where the agent is served. */
  url: string;
  provider: A2ASettings['provider'];
}

/** For callers with a token: adds the names of the agent's own skills if it lists others for A2A. */
export function renderExtendedCard(agent: Agent, place: CardPlace): AgentCard {
  const card = renderCard(agent, place);
  const { a2aSkills: _, ...bare } = agent;
  const own = skillsOf(bare).filter(
    ({ id }) => id !== agent.id && !card.skills.some((skill) => skill.id === id),
  );
  return { ...card, skills: [...card.skills, ...own] };
}

/** The public description of an agent: never a prompt, a tool of its scope or a path. */
export function renderCard(agent: Agent, { url, provider }: CardPlace): AgentCard {
  return {
    name: agent.name,
    description: agent.description,
    version: agent.version,
    supportedInterfaces: interfacesAt(url),
    provider: provider ? { organization: provider.name, url: provider.url } : undefined,
    capabilities: { streaming: true, pushNotifications: true, extendedAgentCard: true, extensions: [] },
    securitySchemes: {
      bearer: {
        scheme: {
          $case: 'httpAuthSecurityScheme',
          value: { scheme: 'Bearer', bearerFormat: '', description: 'Issued by the operator of the hub.' },
        },
      },
    },
    securityRequirements: [{ schemes: { bearer: { list: [] } } }],
    defaultInputModes: INPUT_MODES,
    defaultOutputModes: ['text/plain'],
    skills: skillsOf(agent),
    signatures: [],
  };
}

/** The card as JSON. The SDK omits empty fields, even the required ones that are added here. */
export function cardJson(card: AgentCard): Record<string, unknown> {
  const { description, skills } = card;
  return {
    ...fieldsOf(AgentCard.toJSON(card)),
    description,
    skills: skills.map((skill) => ({ ...fieldsOf(AgentSkill.toJSON(skill)), tags: skill.tags })),
  };
}

const fieldsOf = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {});

/** Version 0.3 is served over JSON-RPC only. */
function interfacesAt(url: string): AgentInterface[] {
  const [current, legacy] = PROTOCOL_VERSIONS;
  return [
    { url, protocolBinding: 'JSONRPC', protocolVersion: current, tenant: '' },
    { url: `${url}/v1`, protocolBinding: 'HTTP+JSON', protocolVersion: current, tenant: '' },
    { url, protocolBinding: 'JSONRPC', protocolVersion: legacy, tenant: '' },
  ];
}

/** The skills that the agent lists for A2A, or the names of its own: their descriptions are part of its prompt. */
function skillsOf({ id, name, description, skills, a2aSkills }: Agent): AgentSkill[] {
  const own = skills.filter(({ enabled }) => enabled).map((skill) => ({ id: skill.id, name: skill.name }));
  // An empty list counts as none, because a patch cannot remove the list.
  const listed = a2aSkills?.length ? a2aSkills : own;
  const all: readonly NonNullable<Agent['a2aSkills']>[number][] =
    listed.length > 0 ? listed : [{ id, name, description }];
  return all.map((skill) => ({
    id: skill.id,
    name: skill.name,
    description: skill.description ?? skill.name,
    tags: [...(skill.tags ?? [])],
    examples: [...(skill.examples ?? [])],
    inputModes: [],
    outputModes: [],
    securityRequirements: [],
  }));
}
