import { basename, relative } from 'node:path';
import type { Agent } from '../../contract/agent.ts';
import type { CallContext } from '../../contract/call.ts';
import type { Diagnostic } from '../../contract/diagnostic.ts';
import { ZooError } from '../../contract/errors.ts';
import { nearest } from '../../contract/nearest.ts';
import type { StandInContext } from '../../contract/stand-in.ts';
import type { AgentStore } from '../../registry/agent-store.ts';
import type { Winner } from '../../registry/registry.ts';
import type { View } from '../workspaces/view.ts';
import type { Views } from '../workspaces/views.ts';

/** Finds the agents that a caller may use, by id. */
export interface AgentDirectory {
  store: AgentStore;
  view(workspace: string): Promise<View>;
  find(id: string, context: Pick<CallContext, 'workspace'> & StandInContext): Promise<Winner>;
  /** Throws `read_only` for an agent in a file, and says how to copy it into the editor. */
  requireEditable(id: string, context: CallContext): Promise<void>;
  /** Throws for a caller that is bound to another agent. */
  refuseOtherAgent(context: CallContext, agentId: string): void;
}

export function createAgentDirectory(store: AgentStore, views: Views): AgentDirectory {
  async function find(
    id: string,
    { workspace, standIn }: Pick<CallContext, 'workspace'> & StandInContext,
  ): Promise<Winner> {
    const view = await views.open(workspace);
    const found = (await view.registry.find(id)) ?? (await refuseUnknown(id, view));
    return standIn?.id === id ? { ...found, agent: standIn } : found;
  }

  async function refuseUnknown(id: string, view: View): Promise<never> {
    const errors = (await view.diagnostics()).filter(({ severity }) => severity === 'error');
    const broken = errors.find((one) => isAbout(one, id));
    if (broken) throw notLoaded(id, broken, view.located.path);
    const ids = (await view.registry.list()).map((agent) => agent.id);
    const longer = ids.filter((each) => id !== '' && each.startsWith(`${id}-`));
    const near = nearest(id, ids) ?? (longer.length === 1 ? (longer[0] ?? null) : null);
    const deleted = await store.knows(id);
    const config = errors.find(({ code, file }) => code === 'syntax' && file?.endsWith('.toml'));
    const hint = deleted
      ? ' It was deleted; undelete it to use it again.'
      : near !== null
        ? ` Did you mean '${near}'?`
        : config
          ? ` Agents may be missing while the config is broken: ${describe(config, view.located.path)}`
          : '';
    throw new ZooError('agent_not_found', `Agent with ID '${id}' not found.${hint}`, {
      id,
      nearest: near,
      deleted,
    });
  }

  return {
    store,
    view: (workspace) => views.open(workspace),
    find,

    async requireEditable(id, context) {
      if (await store.knows(id)) return;
      const { agent } = await find(id, context);
      throw readOnly(agent);
    },

    refuseOtherAgent({ caller, agent }, agentId) {
      const bound = caller.kind === 'agent' ? caller.agentId : caller.kind === 'member' ? agent : agentId;
      if (bound === agentId) return;
      throw new ZooError(
        'out_of_scope',
        `This token is bound to agent '${bound ?? ''}' and cannot access anything else.`,
      );
    },
  };
}

function readOnly(agent: Agent): ZooError {
  const { id, source, origin } = agent;
  if (isComputed(agent)) {
    const message = `Agent '${id}' is computed by ${placeOf(agent)}. Edit that file to change it.`;
    return new ZooError('read_only', message, { id, source, origin });
  }
  return new ZooError(
    'read_only',
    `Agent '${id}' is defined in ${placeOf(agent)}. Edit that file, or copy the agent into the editor first.`,
    { id, source, origin, copy: { method: 'POST', path: `/api/agents/${id}/clone`, body: { id } } },
  );
}

/** A Markdown file that cannot be parsed has no agent id, so the file name is used. */
const isAbout = ({ agentId, file }: Diagnostic, id: string): boolean =>
  agentId === id || (agentId === null && file !== null && basename(file) === `${id}.md`);

/** The agent exists, but its file cannot be loaded and there is no earlier version to serve. */
function notLoaded(id: string, broken: Diagnostic, folder: string): ZooError {
  const { file, line, hint } = broken;
  const message = `Agent '${id}' cannot be loaded. ${describe(broken, folder)}`;
  return new ZooError('agent_not_found', message, { id, file, line, hint });
}

function describe({ file, line, message }: Diagnostic, folder: string): string {
  const place = file === null ? '' : `${relative(folder, file)}${line === null ? '' : `:${line}`}: `;
  return place + message;
}

export function placeOf({ source, origin }: Pick<Agent, 'source' | 'origin'>): string {
  if (!origin) return `the ${source}`;
  return `${source} (${origin.path}${origin.line === undefined ? '' : `:${origin.line}`})`;
}

/** Whether a script or module computes the prompt on each resolve. */
export const isComputed = ({ source }: Pick<Agent, 'source'>): boolean =>
  source === 'lua' || source === 'typescript';

/** The revision that an edit is based on, from its `If-Match` header or its body. */
export function expectedRevision(
  ifMatch: number | undefined,
  inBody: number | undefined,
): number | undefined {
  if (ifMatch !== undefined && inBody !== undefined && ifMatch !== inBody) {
    throw new ZooError(
      'invalid_arguments',
      `revision: ${inBody} in the body, but ${ifMatch} in If-Match; send only one of them`,
    );
  }
  return ifMatch ?? inBody;
}
