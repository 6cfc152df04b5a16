import { randomUUID } from 'node:crypto';
import type { Implements } from '../../contract/api.ts';
import type { CallContext } from '../../contract/call.ts';
import { ZooError } from '../../contract/errors.ts';
import type { AccessToken } from '../../contract/operations/access.ts';
import { createSession, type LoginCodes, mintAgentToken, sessionCookie } from '../../platform/home/access.ts';
import type { Database, Row, Transaction } from '../../platform/store/database.ts';
import { recordEvent } from '../../platform/store/events.ts';
import { once } from '../../platform/store/once.ts';
import { approveTrust, revokeTrust } from '../../platform/trust/trust.ts';
import { listWorkspaces } from '../../platform/home/workspaces.ts';
import { completeDefinition } from '../../registry/definition.ts';
import { templates } from '../../registry/templates.ts';
import type { ChangeFeed } from '../change-feed.ts';
import type { Rooms } from '../rooms.ts';
import type { Views } from '../views.ts';

export interface HubParts {
  db: Database;
  rooms: Rooms;
  views: Views;
  feed: ChangeFeed;
  logins: LoginCodes;
  operatorToken: () => string;
  now: () => Date;
  home: string;
  version: string;
  startedAt: string;
  url: () => string | null;
  /** Null before the hub can be reached. */
  prove(challenge: string): string | null;
  stop: () => void;
}

export function implementHub(
  parts: HubParts,
): Omit<Implements<'hub' | 'workspaces' | 'templates' | 'access'>, 'openapi' | 'home'> {
  const { db, rooms, views, feed } = parts;
  return {
    health: async ({ challenge }) => {
      const proof = challenge === undefined ? null : parts.prove(challenge);
      return { status: 'ok', version: parts.version, ...(proof === null ? {} : { proof }) };
    },

    async status(_input, { workspace }) {
      const view = await views.open(workspace);
      const [agents, diagnostics] = await Promise.all([view.registry.list(), rooms.diagnostics(view)]);
      const count = (severity: string) => diagnostics.filter((each) => each.severity === severity).length;
      return {
        version: parts.version,
        pid: process.pid,
        startedAt: parts.startedAt,
        url: parts.url(),
        home: parts.home,
        workspace: view.describe(),
        agents: agents.length,
        diagnostics: { errors: count('error'), warnings: count('warning'), notes: count('note') },
      };
    },

    async stop() {
      parts.stop();
      return { stopping: true };
    },

    getCurrent: async (_input, context) => ({ agentId: await currentAgent(db, context) }),

    async setCurrent({ body: { agentId } }, context) {
      if (agentId !== null) await rooms.find(agentId, context);
      const at = parts.now().toISOString();
      const write = async (tx: Transaction) => {
        await tx.run('DELETE FROM current_agents WHERE workspace = ?', [context.workspace]);
        if (agentId !== null) {
          await tx.run('INSERT INTO current_agents (workspace, agent_id) VALUES (?, ?)', [
            context.workspace,
            agentId,
          ]);
        }
        const event = { type: 'current-changed', workspace: context.workspace, agentId } as const;
        await recordEvent(tx, event, at);
        return { agentId };
      };
      return db.transaction((tx) => once(tx, context, at, () => write(tx)));
    },

    listTemplates: async () => ({ templates: [...templates] }),

    async useTemplate({ template: name, body = {} }, context) {
      const template = templates.find(({ id }) => id === name);
      if (!template) {
        const known = templates.map(({ id }) => id).join(', ');
        throw new ZooError('template_not_found', `There is no template '${name}'; there is ${known}.`);
      }
      const definition = completeDefinition({ ...template.agent, name: body.name ?? template.agent.name });
      if (body.id !== undefined) return rooms.store.create(definition, context, { exact: body.id });
      const { byId } = (await rooms.view(context.workspace)).merged();
      const base = body.name ?? template.id;
      return rooms.store.create(definition, context, { base, taken: (id) => byId.has(id) });
    },

    async listDiagnostics(_input, { workspace }) {
      return { diagnostics: await rooms.diagnostics(await views.open(workspace)) };
    },

    async *events({ after }, { workspace, signal }) {
      for await (const event of feed.follow({ after, signal })) {
        if (event.workspace === null || event.workspace === workspace) yield event;
      }
    },

    async listWorkspaces() {
      const ids = await listWorkspaces(db);
      const known = await Promise.allSettled(ids.map(async (id) => (await views.open(id)).describe()));
      // A workspace whose folder is gone is no longer one.
      return { workspaces: known.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : [])) };
    },

    async openWorkspace({ body: { path } }) {
      return (await views.open(await views.identify(path))).describe();
    },

    // From disk: the watcher may not have seen the latest save yet.
    async getTrust(_input, { workspace }) {
      const { layer } = await views.open(workspace);
      await layer.reload();
      return layer.current().trust;
    },

    async approveTrust({ body: { hash } }, { workspace }) {
      const { layer } = await views.open(workspace);
      await layer.reload();
      await approveTrust(db, layer.current().trust, hash, parts.now());
      await layer.reload();
      return layer.current().trust;
    },

    async revokeTrust(_input, { workspace }) {
      const { layer } = await views.open(workspace);
      await revokeTrust(db, layer.current().trust);
      await layer.reload();
      return layer.current().trust;
    },

    async listTokens() {
      const rows = await db.all('SELECT * FROM access_tokens ORDER BY created_at');
      return { tokens: rows.map(toAccessToken) };
    },

    async createToken({ body: { agentId, label = '' } }, context) {
      const { agent } = await rooms.find(agentId, context);
      const { token, hash } = mintAgentToken();
      const access: AccessToken = {
        id: randomUUID(),
        agentId: agent.id,
        workspace: context.workspace,
        label,
        createdAt: parts.now().toISOString(),
        lastUsedAt: null,
      };
      await db.transaction((tx) =>
        tx.run(
          'INSERT INTO access_tokens (id, hash, agent_id, workspace, label, created_at) VALUES (?, ?, ?, ?, ?, ?)',
          [access.id, hash, access.agentId, access.workspace, access.label, access.createdAt],
        ),
      );
      return { ...access, token };
    },

    async deleteToken({ id }) {
      const { changes } = await db.transaction((tx) =>
        tx.run('DELETE FROM access_tokens WHERE id = ?', [id]),
      );
      if (changes === 0) throw new ZooError('token_not_found', `There is no token '${id}'.`);
      return null;
    },

    createLogin: async () => ({ path: `/login?code=${parts.logins.create()}` }),

    async login({ code }) {
      if (!parts.logins.redeem(code)) {
        throw new ZooError(
          'unauthorized',
          "This link has been used or is too old. 'zoo open' makes a new one.",
        );
      }
      const cookie = sessionCookie(createSession(parts.operatorToken()));
      return { status: 303, headers: { location: '/', 'set-cookie': cookie }, body: '' };
    },
  };
}

export async function currentAgent(db: Database, { workspace }: CallContext): Promise<string | null> {
  const row = await db.one('SELECT agent_id FROM current_agents WHERE workspace = ?', [workspace]);
  return row ? String(row.agent_id) : null;
}

function toAccessToken(row: Row): AccessToken {
  return {
    id: String(row.id),
    agentId: String(row.agent_id),
    workspace: String(row.workspace),
    label: String(row.label),
    createdAt: String(row.created_at),
    lastUsedAt: row.last_used_at === null || row.last_used_at === undefined ? null : String(row.last_used_at),
  };
}
