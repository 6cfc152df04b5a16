import type { Implementation } from '../contract/api.ts';
import type { Extension } from '../contract/offers/extension.ts';
import { isLoopback, parseBind } from '../platform/config/bind-address.ts';
import { homeFiles } from '../platform/home/paths.ts';
import { createSecretFiles } from '../platform/home/secret-files.ts';
import { createResources, type Resources } from '../platform/processes/resources.ts';
import { recordEvent } from '../platform/store/events.ts';
import { isTrusted } from '../platform/trust/trust.ts';
import type { Layer } from '../registry/layers/layer.ts';
import { createMemory } from '../registry/memory.ts';
import { a2aSettings } from './a2a/a2a-settings.ts';
import { createPushConfigs } from './a2a/push-configs.ts';
import { createAccessWing } from './access/access-wing.ts';
import { createClientsWing } from './clients/clients-wing.ts';
import { createConfigWing } from './config/config-wing.ts';
import { createAgentDirectory } from './agents/agent-directory.ts';
import { createAgentsWing } from './agents/agents-wing.ts';
import { createProgramCalls } from './agents/program-calls.ts';
import { type HubOptions, localContext, openBase } from './base/open-base.ts';
import { isEdited, maskOffers, maskOutputs } from './base/mask-outputs.ts';
import { ownConfig } from './base/own-config.ts';
import { startRetention } from './base/retention.ts';
import { createStatusWing } from './base/status-wing.ts';
import { createBackupsWing } from './backups/backups-wing.ts';
import type { Hub, ServerSettings } from './hub.ts';
import { createInboxWing } from './inbox/inbox-wing.ts';
import { createKnowledgeWing } from './knowledge/knowledge-wing.ts';
import { createOffers } from './offers/offers.ts';
import { createPromptsWing } from './offers/prompts-wing.ts';
import { createPublishingWing } from './publishing/publishing-wing.ts';
import { createRunnerWing } from './runner/runner-wing.ts';
import { mayRun } from './runner/trusted-agent.ts';
import { createTeamsWing } from './teams/teams-wing.ts';
import { fixedTools } from './tools/fixed-tools.ts';
import { createRemoteAgentsWing } from './tools/remote-agents-wing.ts';
import { createScriptToolsWing } from './tools/script-tools-wing.ts';
import { createToolsWing } from './tools/tools-wing.ts';
import { createUpstreamsWing } from './upstreams/upstreams-wing.ts';
import { type AnyWing, joinOperations, joinUse } from './wing.ts';
import { createWorkspacesWing } from './workspaces/workspaces-wing.ts';

const ACTIVITY_DAYS = 30;

export type { HubOptions } from './base/open-base.ts';

/** Opens a hub. The caller closes it; a start that fails closes what it had opened. */
export async function createHub(options: HubOptions): Promise<Hub> {
  const opened = createResources();
  try {
    return await wire(options, opened);
  } catch (error) {
    await opened.close().catch((failed: unknown) => options.log?.error('closing failed', { error: failed }));
    throw error;
  }
}

/** The list of wings, one per room. Each may use the wings before it. */
async function wire(options: HubOptions, opened: Resources): Promise<Hub> {
  const base = await openBase(options, opened);
  const { db, now, views, registered } = base;
  const directory = createAgentDirectory(base.store, views);
  const shared = { ...base, directory };

  const inbox = createInboxWing(shared);
  const tools = createToolsWing({
    ...shared,
    questions: inbox.questions,
    activityDays: () => ownConfig(base).tools?.activity_days ?? ACTIVITY_DAYS,
  });
  const { scopes, prices, calls } = tools;
  const add = <W extends AnyWing>(wing: W): W => {
    opened.defer(() => wing.close?.());
    scopes.add(wing);
    return wing;
  };
  add(inbox);
  add(tools);
  const knowledge = add(createKnowledgeWing({ ...shared, scopes }));
  const agents = add(
    createAgentsWing({
      ...shared,
      ...knowledge.access,
      scopes,
      prices,
      memory: createMemory(db, now),
      programs: createProgramCalls(base.output),
    }),
  );
  const resolving = { ...shared, scopes, resolve: agents.resolve, questions: inbox.questions };
  const running = add(createRunnerWing({ ...resolving, calls }));
  const { runner, chats } = running;
  const teams = add(createTeamsWing({ ...resolving, runner, chats }));
  const access = add(
    createAccessWing({ ...shared, memberOf: teams.memberOf, onTokenDropped: teams.onTokenDropped }),
  );
  access.onTokenRevoked(running.tokenRevoked);
  const clients = add(createClientsWing(shared));
  const rooms = [
    tools,
    agents,
    knowledge,
    access,
    teams,
    add(createWorkspacesWing(shared)),
    add(createConfigWing(shared)),
    clients,
    add(createBackupsWing(base)),
    inbox,
    running,
    add(createPublishingWing({ ...shared, scopes, runner, chats, teamJobs: teams.jobs })),
    add(createScriptToolsWing({ ...shared, knowledge: knowledge.access })),
    add(createUpstreamsWing({ ...shared, scopes, questions: inbox.questions })),
    add(createRemoteAgentsWing(base)),
    add(extensionsWing(options.extensions ?? [])),
  ] as const;
  const offers = createOffers({
    directory,
    scopes,
    calls,
    skills: agents.skills,
    offers: rooms.flatMap((wing) => wing.offers ?? []),
  });
  const status = add(createStatusWing({ ...base, wings: rooms, runsPaused: running.isPaused }));
  const wings = [...rooms, status, createPromptsWing(offers)] as const;
  const operations: Implementation = joinOperations(wings);
  const pushConfigs = createPushConfigs(db, createSecretFiles(homeFiles(base.home).pushCredentials));
  if (base.serving) opened.defer(await startRetention({ ...base, pruneFiles: pushConfigs.prune }));

  return {
    operations: maskOutputs(operations, base.mask, isEdited),
    offers: maskOffers(offers, base.mask),
    authenticate: access.authenticate,
    onTokenRevoked: access.onTokenRevoked,
    workspaceFor: views.identify,
    localContext,
    clientSeen: clients.clientSeen,
    clientTools: running.clientTools,
    clientGone: (client) => rooms.forEach((wing) => wing.clientGone?.(client)),
    serverSettings: () => serverSettings(base.startLayer),
    a2aSettings: () => a2aSettings(base),
    mayRun: async (agent, workspace) => mayRun(agent, await directory.view(workspace)),
    pushConfigs,
    announce(url) {
      teams.listening(url);
      return status.announce(url);
    },
    stopRequested: status.stopRequested,
    use: () => joinUse(rooms),
    async register(agent) {
      const agentId = registered.register(agent, now());
      const about = { workspace: null, agentId, data: { source: 'typescript' } };
      await db.transaction((tx) => recordEvent(tx, { type: 'agent-created', ...about }, now().toISOString()));
    },
    drain: () => rooms.forEach((wing) => wing.drain?.()),
    close: opened.close,
  };
}

function extensionsWing(extensions: readonly Extension[]): AnyWing {
  const tools = extensions.flatMap((extension) => extension.tools ?? []);
  return { operations: {}, toolProviders: [fixedTools(tools)], offers: extensions };
}

/** `[server]` of the start layer; an untrusted config cannot open the hub to other machines. */
function serverSettings(startLayer: Layer): ServerSettings {
  const { config, trust } = startLayer.current();
  const { bind, allowed_hosts: hosts = [] } = config.config.server ?? {};
  const trusted = isTrusted(trust.state);
  const here = isLoopback(parseBind(bind ?? '')?.host ?? '127.0.0.1');
  return { bind: trusted || here ? (bind ?? null) : null, allowedHosts: trusted ? hosts : [] };
}
