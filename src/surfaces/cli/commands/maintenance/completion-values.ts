import type { ZooClient } from '../../../../contract/api.ts';

export interface Candidate {
  value: string;
  about?: string;
}

type Find = (client: ZooClient, given: readonly string[]) => Promise<readonly Candidate[]>;

/** Of runs, chats, teams and messages, only the newest are offered. */
const MOST = 50;

const agents: Find = async (client) =>
  (await client.call('listAgents', {})).agents.map(({ id, description }) => ({
    value: id,
    about: description,
  }));
const deletedAgents: Find = async (client) =>
  (await client.call('listAgents', { deleted: true })).agents.map(({ id, description }) => ({
    value: id,
    about: description,
  }));
const tools: Find = async (client) =>
  (await client.call('listTools', {})).tools.map(({ displayName, description }) => ({
    value: displayName,
    about: description,
  }));
const servers: Find = async (client) =>
  (await client.call('listUpstreams', {})).upstreams.map(({ name, target }) => ({
    value: name,
    about: target,
  }));
const sources: Find = async (client) =>
  (await client.call('listSources', {})).sources.map(({ id, location }) => ({ value: id, about: location }));
const templates: Find = async (client) =>
  (await client.call('listTemplates', {})).templates.map(({ id, agent }) => ({
    value: id,
    about: agent.description ?? '',
  }));
const tokens: Find = async (client) =>
  (await client.call('listTokens', {})).tokens.map(({ id, label }) => ({ value: id, about: label }));
const entries: Find = async (client, [agent = '']) =>
  (await client.call('queryBrain', { id: agent })).entries.map(({ id, content }) => ({
    value: id,
    about: content,
  }));
const revisions: Find = async (client, [agent = '']) =>
  (await client.call('agentHistory', { id: agent })).revisions.map(({ revision, action }) => ({
    value: String(revision),
    about: action,
  }));

const runs: Find = async (client) =>
  (await client.call('listRuns', { limit: MOST })).runs.map(({ id, agentId, prompt }) => ({
    value: id,
    about: `${agentId}: ${prompt}`,
  }));
const chats: Find = async (client) =>
  (await client.call('listChats', { limit: MOST })).chats.map(({ id, agentId, title }) => ({
    value: id,
    about: `${agentId}: ${title}`,
  }));
const teams: Find = async (client) => {
  const listed = (await client.call('listTeams', {})).teams.slice(0, MOST);
  const isTaken = (name: string): boolean => listed.filter((each) => each.name === name).length > 1;
  return listed.map(({ id, name, state }) => ({ value: isTaken(name) ? id : name, about: state }));
};
const members: Find = async (client, [team = '']) =>
  (await client.call('getTeam', { id: team })).members.map(({ name, state }) => ({
    value: name,
    about: state,
  }));
const deadLetters: Find = async (client, [team = '']) =>
  (await client.call('listTeamMessages', { id: team, dead: true })).messages
    .toReversed()
    .slice(0, MOST)
    .map(({ id, from, text }) => ({ value: id, about: `${from}: ${text}` }));
const mail: Find = async (client, [team = '']) =>
  (await client.call('listTeamMessages', { id: team, limit: 1000 })).messages
    .filter(({ to }) => to === 'user')
    .toReversed()
    .slice(0, MOST)
    .map(({ id, from, text }) => ({ value: id, about: `${from}: ${text}` }));
const questions: Find = async (client) =>
  (await client.call('listQuestions', {})).questions.map(({ id, title }) => ({ value: id, about: title }));
const harnesses: Find = async (client) =>
  (await client.call('listHarnesses', {})).harnesses.map(({ name, missing }) => ({
    value: name,
    about: missing ?? '',
  }));
const publishedTools: Find = async (client, [agent = '']) =>
  (await client.call('listPublishedTools', { id: agent })).publishedTools.map(({ name, description }) => ({
    value: name,
    about: description,
  }));

/** Values by the command and its argument, by an option, or by the name of an argument alone. */
const DYNAMIC: Readonly<Record<string, Find>> = {
  '--agent': agents,
  '--tool': tools,
  '--source': sources,
  '--template': templates,
  '--into': agents,
  '--resume': chats,
  '--harness': harnesses,
  '--reply-to': mail,
  agent: agents,
  entry: entries,
  revision: revisions,
  from: revisions,
  to: revisions,
  tool: tools,
  team: teams,
  member: members,
  source: sources,
  'team redeliver message': deadLetters,
  'publish test tool': publishedTools,
  'agent undelete id': deletedAgents,
  'tools show name': tools,
  'tools call name': tools,
  'tool test name': tools,
  'tools status name': servers,
  'tools login name': servers,
  'tools logout name': servers,
  'tools restart name': servers,
  'tools accept name': servers,
  'sync what': sources,
  'connector test name': sources,
  'token rm id': tokens,
  'inbox answer id': questions,
  'current id': agents,
};
/** `id` is that of the group's own kind. */
const OWN_ID: Readonly<Record<string, Find>> = { agent: agents, runs, chats };

export function finderOf(command: string, name: string): Find | undefined {
  const own = name === 'id' ? OWN_ID[command.split(' ')[0] ?? ''] : undefined;
  return DYNAMIC[`${command} ${name}`] ?? own ?? DYNAMIC[name];
}
