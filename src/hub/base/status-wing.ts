import type { Diagnostic } from '../../contract/diagnostic.ts';
import { ZooError } from '../../contract/errors.ts';
import { hubProof, randomHex } from '../../platform/home/hub-proof.ts';
import { VERSION } from '../../platform/home/version.ts';
import type { Hub } from '../hub.ts';
import type { AnyWing, Wing } from '../wing.ts';
import type { View } from '../workspaces/view.ts';
import type { Views } from '../workspaces/views.ts';
import type { ChangeFeed } from './change-feed.ts';

export interface StatusWing extends Wing<'hub'>, Pick<Hub, 'announce' | 'stopRequested'> {}

export interface StatusWingParts {
  home: string;
  now: () => Date;
  feed: ChangeFeed;
  views: Views;
  runsPaused: () => Promise<boolean>;
  /** The other wings, whose diagnostics are listed together. */
  wings: readonly Pick<AnyWing, 'diagnostics'>[];
}

/** Status, diagnostics, events and stopping the hub. */
export function createStatusWing(parts: StatusWingParts): StatusWing {
  const { home, now, feed, views, wings } = parts;
  const startedAt = now().toISOString();
  let url: string | null = null;
  let known: string | undefined;
  const secret = () => (known ??= randomHex());
  let stop: () => void = () => undefined;
  const stopRequested = new Promise<void>((resolve) => {
    stop = resolve;
  });

  async function diagnose(view: View): Promise<Diagnostic[]> {
    const found = await Promise.all(wings.map(async (wing) => (await wing.diagnostics?.(view)) ?? []));
    return [...(await view.diagnostics()), ...found.flat()];
  }

  return {
    stopRequested,
    announce(at) {
      url = at;
      return secret();
    },
    operations: {
      async health({ challenge }) {
        const proof = challenge === undefined || url === null ? null : hubProof(secret(), url, challenge);
        return { status: 'ok', version: VERSION, ...(proof === null ? {} : { proof }) };
      },

      async status(_input, { workspace }) {
        const view = await views.open(workspace);
        const [agents, diagnostics, runsPaused] = await Promise.all([
          view.registry.list(),
          diagnose(view),
          parts.runsPaused(),
        ]);
        const count = (severity: string) => diagnostics.filter((each) => each.severity === severity).length;
        return {
          version: VERSION,
          pid: process.pid,
          startedAt,
          url,
          home,
          workspace: view.describe(),
          agents: agents.length,
          runsPaused,
          diagnostics: { errors: count('error'), warnings: count('warning'), notes: count('note') },
        };
      },

      async stop() {
        stop();
        return { stopping: true };
      },

      async listDiagnostics(_input, { workspace }) {
        const view = await views.open(workspace);
        // From disk: the watcher may not have seen the latest save yet.
        await Promise.all(view.layers.map((layer) => layer.reload()));
        return { diagnostics: await diagnose(view) };
      },

      async *events({ after }, { workspace, signal }) {
        // A workspace with a follower stays open and watched, even without calls.
        const release = await views.hold(workspace);
        try {
          for await (const event of feed.follow({ after, signal })) {
            if (event.workspace === null || event.workspace === workspace) yield event;
          }
        } finally {
          release();
        }
      },

      openapi: onlyOverHttp,
      home: onlyOverHttp,
    },
  };
}

function onlyOverHttp(): Promise<never> {
  return Promise.reject(new ZooError('route_not_found', 'Only available over HTTP.'));
}
