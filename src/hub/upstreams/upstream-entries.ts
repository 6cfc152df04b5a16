import { resolve } from 'node:path';
import type { Config } from '../../contract/config.ts';
import type { Diagnostic } from '../../contract/diagnostic.ts';
import { ZooError } from '../../contract/errors.ts';
import { memoByInputs } from '../../platform/caching/memo-by-inputs.ts';
import { diagnose } from '../../platform/config/diagnose.ts';
import type { Environment } from '../../platform/home/paths.ts';
import { secretsIn } from '../../platform/config/secret-fields.ts';
import { variablesIn } from '../../platform/config/variables.ts';
import { changedFiles } from '../../platform/trust/trust.ts';
import type { Layer, LayerSnapshot } from '../../registry/layers/layer.ts';
import { hashLaunch, type Launch, type Upstream } from '../../tools/upstream/upstream.ts';
import type { View } from '../workspaces/view.ts';

const IDLE_SECONDS = 600;
const TIMEOUT_SECONDS = 300;

type Entry = NonNullable<NonNullable<Config['tools']>['mcp']>[string];

/** The servers of a config that may run. */
export interface UpstreamEntries {
  /** Entries that are not served because another config has the same name. */
  diagnostics(view: View): Diagnostic[];
  /** Rejects unless a config still has this server and its files are unchanged since the approval. */
  admit(upstream: Upstream): Promise<void>;
  /** All servers of a view, the workspace's first. Returns the same array while nothing changes. */
  of(view: View): readonly Upstream[];
  /** Stops watching the files of a closed view; the user's own layer is shared and stays. */
  unfollow(view: Pick<View, 'layer'>): void;
}

/** Calls `onChange` with the remaining launches whenever a config or its trust changes. */
export function createUpstreamEntries(onChange: (hashes: ReadonlySet<string>) => void): UpstreamEntries {
  const ofSnapshot = new WeakMap<LayerSnapshot, readonly Upstream[]>();
  const ofView = memoByInputs((lists: readonly (readonly Upstream[])[], _view: View): readonly Upstream[] => {
    const names = new Set<string>();
    return lists.flat().filter(({ name }) => !names.has(name) && names.add(name));
  });
  const layers = new Map<Layer, () => void>();

  function follow(layer: Layer): void {
    if (layers.has(layer)) return;
    const unlisten = layer.onChange(() =>
      onChange(new Set([...layers.keys()].flatMap(read).map(({ hash }) => hash))),
    );
    layers.set(layer, unlisten);
  }

  function read(layer: Layer): readonly Upstream[] {
    const snapshot = layer.current();
    const known = ofSnapshot.get(snapshot);
    if (known) return known;
    const upstreams = Object.entries(snapshot.expanded?.tools?.mcp ?? {}).flatMap(([name, entry]) => {
      const written = snapshot.config.config.tools?.mcp?.[name];
      const { variables } = snapshot;
      const secrets = secretsIn(written, variables, ['tools', 'mcp', name]);
      return entry.disabled
        ? []
        : [toUpstream(layer, name, entry, { missing: missingIn(written, variables), secrets })];
    });
    ofSnapshot.set(snapshot, upstreams);
    return upstreams;
  }

  return {
    async admit({ hash }) {
      const changes: string[] = [];
      for (const layer of layers.keys()) {
        const found = read(layer).find((each) => each.hash === hash);
        if (!found) continue;
        const { approved, config, trust } = layer.current();
        const subject = { config: config.config, path: trust.path };
        const changed = await changedFiles(approved, subject, { kind: 'upstream', name: found.name });
        if (changed.length === 0) return;
        changes.push(...changed);
        // The approval is stale; report it everywhere.
        void layer.reload();
      }
      if (changes.length === 0)
        throw new ZooError('untrusted', 'was removed from its config, or is no longer approved.');
      throw new ZooError(
        'untrusted',
        `has changed since it was approved (${changes.slice(0, 3).join(', ')}). Run 'zoo trust' to review and approve it.`,
        { changed: changes.slice(0, 20) },
      );
    },

    diagnostics(view) {
      const seen = new Map<string, Layer>();
      return view.layers.flatMap((layer) =>
        read(layer).flatMap(({ name }) => {
          const winner = seen.get(name);
          seen.set(name, winner ?? layer);
          return winner ? [shadowed(name, layer, winner)] : [];
        }),
      );
    },

    unfollow({ layer }) {
      layers.get(layer)?.();
      layers.delete(layer);
    },

    of(view) {
      for (const layer of view.layers) follow(layer);
      return ofView(view, view.layers.map(read));
    },
  };
}

function shadowed(name: string, layer: Layer, winner: Layer): Diagnostic {
  const { config } = layer.current();
  const used = winner.current().config.file ?? winner.folder;
  return diagnose(
    'note',
    'duplicate-tool',
    `the server '${name}' is not used: the workspace also defines it`,
    {
      file: config.file,
      line: config.lineOf(['tools', 'mcp', name]),
      hint: `${used} is used instead. Rename one of them to use both.`,
      workspace: layer.owner,
    },
  );
}

function toUpstream(
  layer: Layer,
  name: string,
  entry: Entry,
  { missing, secrets }: { missing: string[]; secrets: string[] },
): Upstream {
  const { shared = true, idle_seconds: idle = IDLE_SECONDS, timeout = TIMEOUT_SECONDS } = entry;
  const launch: Launch =
    entry.url === undefined
      ? {
          kind: 'stdio',
          secrets,
          command: entry.command ?? '',
          args: entry.args ?? [],
          env: entry.env ?? {},
          cwd: resolve(layer.folder, entry.cwd ?? '.'),
        }
      : { kind: 'http', secrets, url: entry.url, headers: entry.headers ?? {} };
  return {
    owner: layer.owner,
    name,
    launch,
    hash: hashLaunch(launch),
    shared,
    pin: entry.pin ?? false,
    idleMs: idle * 1000,
    timeoutMs: timeout * 1000,
    missing,
  };
}

function missingIn(written: Entry | undefined, env: Environment): string[] {
  if (!written) return [];
  const { command, args, env: variables, cwd, url, headers } = written;
  const texts = [
    command,
    cwd,
    url,
    ...(args ?? []),
    ...Object.values(variables ?? {}),
    ...Object.values(headers ?? {}),
  ];
  const names = texts.flatMap((text) => (text === undefined ? [] : variablesIn(text)));
  return [...new Set(names)].filter((name) => env[name] === undefined);
}
