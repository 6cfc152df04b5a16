import type { Implements } from '../../contract/api.ts';
import { ZooError } from '../../contract/errors.ts';
import { changesBetween } from '../../registry/changes.ts';
import { definitionOf } from '../../registry/definition.ts';
import { type AgentDirectory, placeOf } from './agent-directory.ts';

type Revisions = Pick<
  Implements<'agents'>,
  'agentHistory' | 'getRevision' | 'labelRevision' | 'diffAgent' | 'restoreAgent'
>;

/** The history of agents that live in the editor. */
export function implementRevisions(directory: AgentDirectory): Revisions {
  const { store } = directory;
  return {
    async agentHistory({ id, limit = 100, before }, context) {
      const revisions = await store.history(id, { limit, before });
      // Agents in files have no history here; unknown ids get another error.
      if (revisions.length === 0) await directory.find(id, context);
      return { revisions };
    },

    getRevision: ({ id, revision }) => store.revision(id, revision),

    labelRevision: ({ id, revision, body: { label } }, context) => store.label(id, revision, label, context),

    async diffAgent({ id, from, to }, context) {
      const newest = (await store.history(id, { limit: 1 }))[0]?.revision;
      if (newest === undefined) {
        const { agent } = await directory.find(id, context);
        throw new ZooError(
          'revision_not_found',
          `Agent '${id}' is defined in ${placeOf(agent)}, so it has no revisions here.`,
        );
      }
      const right = to ?? newest;
      const left = from ?? Math.max(1, right - 1);
      const [before, after] = await Promise.all([store.revision(id, left), store.revision(id, right)]);
      return { from: left, to: right, changes: changesBetween(definitionOf(before), definitionOf(after)) };
    },

    async restoreAgent({ id, ifMatch, body: { revision } }, context) {
      await directory.requireEditable(id, context);
      const definition = definitionOf(await store.revision(id, revision));
      const write = { action: 'restored', context, expected: ifMatch } as const;
      return (await store.update(id, write, () => ({ definition, value: null }))).agent;
    },
  };
}
