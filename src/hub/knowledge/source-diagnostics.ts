import type { Agent } from '../../contract/agent.ts';
import type { Diagnostic } from '../../contract/diagnostic.ts';
import { meansSource, sourceId, sourceKey } from '../../knowledge/source-reference.ts';
import { diagnose } from '../../platform/config/diagnose.ts';
import { nearest } from '../../contract/nearest.ts';
import { knowledgeScopeOf, knowledgeScopeOfLayer, untrustedSources } from './knowledge-scope.ts';
import type { View } from '../workspaces/view.ts';

/** Diagnostics for the sources of a view, and for agents that refer to them. */
export function diagnoseSources(view: View): Diagnostic[] {
  return [...hidden(view), ...[...view.merged().byId.values()].flatMap(({ agent }) => unknown(agent, view))];
}

function hidden(view: View): Diagnostic[] {
  const visible = new Set(knowledgeScopeOf(view, null).sources.map(sourceKey));
  return view.layers.flatMap((layer) =>
    knowledgeScopeOfLayer(view, layer)
      .sources.filter((source) => !visible.has(sourceKey(source)))
      .map((source) =>
        diagnose('note', 'duplicate-source', `the workspace also defines the source ${sourceId(source)}`, {
          file: layer.current().config.file,
          line: layer.current().config.lineOf(['connectors', source.type, source.name]),
          hint: "The workspace's source is used there. Rename one of them to use both.",
        }),
      ),
  );
}

function unknown({ id, sources, context, origin }: Agent, view: View): Diagnostic[] {
  const known = [...knowledgeScopeOf(view, null).sources, ...untrustedSources(view)];
  const named = new Set([...(sources ?? []), ...context.flatMap(({ source }) => source ?? [])]);
  return [...named]
    .filter((name) => !known.some((source) => meansSource(name, source)))
    .map((name) => {
      const near = nearest(
        name,
        known.flatMap((source) => [sourceId(source), source.name]),
      );
      const hint =
        near === null ? 'Its searches return nothing until the source exists.' : `Did you mean '${near}'?`;
      return diagnose('warning', 'unknown-source', `agent '${id}': source '${name}' not found`, {
        file: origin?.path ?? null,
        line: origin?.line ?? null,
        hint,
        agentId: id,
      });
    });
}
