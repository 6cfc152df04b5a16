import type { Script } from '../../contract/config.ts';
import type { Diagnostic } from '../../contract/diagnostic.ts';
import { ZooError } from '../../contract/errors.ts';
import type { Tool, ToolCall, ToolProvider } from '../../contract/tool.ts';
import { memoByInputs } from '../../platform/caching/memo-by-inputs.ts';
import { diagnose } from '../../platform/config/diagnose.ts';
import type { Environment } from '../../platform/home/paths.ts';
import { approvedFiles } from '../../platform/trust/trust.ts';
import { unsetUnder } from '../../platform/config/variables.ts';
import type { Layer, LayerSnapshot } from '../../registry/layers/layer.ts';
import type { Sandbox, ScriptHost } from '../../scripting/sandbox.ts';
import { failureIn, maskError, readScriptEntry } from '../../scripting/script-entry.ts';
import { loadScriptTool } from '../../tools/script/script-tool.ts';
import type { View } from '../workspaces/view.ts';

export interface ScriptToolsOptions {
  env: Environment;
  sandbox: Pick<Sandbox, 'describe' | 'call'>;
  host(call: ToolCall): Promise<ScriptHost>;
}

interface Loaded {
  tools: Tool[];
  /** Why scripts are not served, by name. */
  failures: ReadonlyMap<string, string>;
  diagnostics: Diagnostic[];
}

const AGAIN_AFTER_MS = 10_000;

/** The tools of `[tools.script.NAME]`: those of the workspace, and those of the user's own config behind them. */
export function createScriptTools({ env, sandbox, host }: ScriptToolsOptions): ToolProvider<View> {
  /** Loaded tools by snapshot. A changed script makes a new snapshot, because its content is part of the trust. */
  const loaded = new WeakMap<LayerSnapshot, Promise<Loaded>>();
  const settled = new WeakMap<LayerSnapshot, Loaded>();
  const merged = memoByInputs((layers: readonly Loaded[], _view: View): readonly Tool[] => {
    const byName = new Map<string, Tool>();
    // The workspace's layer comes first, and its tool wins.
    for (const tool of layers.flatMap(({ tools }) => tools)) {
      if (!byName.has(tool.descriptor.name)) byName.set(tool.descriptor.name, tool);
    }
    return [...byName.values()];
  });

  function load(layer: Layer): Promise<Loaded> {
    const snapshot = layer.current();
    const known = loaded.get(snapshot);
    if (known) return known;
    const loading = loadAll(layer.owner, snapshot);
    loaded.set(snapshot, loading);
    return loading;
  }

  async function loadAll(owner: string | null, snapshot: LayerSnapshot): Promise<Loaded> {
    const { config, expanded, variables, unset, trust, approved } = snapshot;
    const diagnostics: Diagnostic[] = [];
    const failures = new Map<string, string>();
    const entries = Object.entries(expanded?.tools?.script ?? {});
    const tools = await Promise.all(
      entries.map(async ([name, entry]) => {
        const written: Script = config.config.tools?.script?.[name] ?? entry;
        const ready = readScriptEntry(written, entry, {
          kind: 'tool',
          folder: config.folder,
          root: trust.path,
          approved: approvedFiles(approved, 'script-tool', name),
          env,
          variables,
        });
        const missing = unsetUnder(unset, ['tools', 'script', name]);
        try {
          if (missing !== null) throw new ZooError('tool_error', missing);
          return await loadScriptTool({ name, entry: ready, sandbox, host });
        } catch (error) {
          const masked = maskError(error, ready.secrets);
          // A timeout may be due to load, so it is retried after a while.
          if (masked.code === 'timeout') setTimeout(() => loaded.delete(snapshot), AGAIN_AFTER_MS).unref();
          const { message, ...place } = failureIn(ready.file.path, masked);
          failures.set(name, message);
          diagnostics.push(
            diagnose('error', 'script-error', `tools.script.${name}: ${message}`, {
              ...place,
              hint: 'The tool is not served until this is fixed; everything else is.',
              workspace: owner,
            }),
          );
          return null;
        }
      }),
    );
    const result = { tools: tools.filter((tool) => tool !== null), failures, diagnostics };
    settled.set(snapshot, result);
    return result;
  }

  return {
    tools: async (view) => merged(view, await Promise.all(view.layers.map(load))),
    absence(name, view) {
      for (const layer of view.layers) {
        const snapshot = layer.current();
        if (!Object.hasOwn(snapshot.config.config.tools?.script ?? {}, name)) continue;
        if (snapshot.expanded === null) return "its script is not approved; run 'zoo trust'";
        const why = settled.get(snapshot)?.failures.get(name);
        return why === undefined ? null : `its script failed: ${why}`;
      }
      return null;
    },
    diagnostics: async (view) =>
      (await Promise.all(view.layers.map(load))).flatMap(({ diagnostics }) => diagnostics),
  };
}
