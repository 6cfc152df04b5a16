import type { Diagnostic } from '../../contract/diagnostic.ts';
import type { Tool, ToolProvider } from '../../contract/tool.ts';
import { memoByInputs } from '../../platform/caching/memo-by-inputs.ts';
import { diagnose } from '../../platform/config/diagnose.ts';
import type { Database } from '../../platform/store/database.ts';
import { recordEvent } from '../../platform/store/events.ts';
import { messageOf } from '../../platform/text/error-message.ts';
import type { Layer } from '../../registry/layers/layer.ts';
import type { View } from '../workspaces/view.ts';
import type { Wing } from '../wing.ts';

/** Cards are read again after this time, and after this time if that failed. */
const FRESH_MS = 10 * 60_000;
const AGAIN_AFTER_MS = 30_000;

interface Entry {
  name: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  layer: Layer;
}

interface Read {
  tools: readonly Tool[];
  failure: string | null;
  at: number;
}

export interface RemoteAgentsParts {
  db: Database;
  /** Whether cards are read without a call. */
  serving: boolean;
  log(message: string, error: unknown): void;
}

const NO_TOOLS: readonly Tool[] = [];

/** A2A agents of `[tools.a2a.NAME]` in approved configs, as tools. */
export function createRemoteAgentsWing({ db, serving, log }: RemoteAgentsParts): Wing {
  const known = new Map<string, Read>();
  const reading = new Map<string, Promise<void>>();
  const joined = memoByInputs((lists: readonly (readonly Tool[])[], _view: View) => lists.flat());
  const keyOf = ({ name, url, headers }: Entry): string => JSON.stringify([name, url, headers]);

  async function readCard(entry: Entry): Promise<void> {
    const key = keyOf(entry);
    const before = known.get(key);
    try {
      const [{ openRemoteAgent }, { agentTools }] = await Promise.all([
        import('../../tools/a2a/remote-agent.ts'),
        import('../../tools/a2a/agent-tools.ts'),
      ]);
      const agent = await openRemoteAgent(entry.url, { ...entry.headers }, { sameOrigin: true });
      known.set(key, { tools: agentTools(entry.name, agent), failure: null, at: Date.now() });
    } catch (error) {
      known.set(key, { tools: before?.tools ?? NO_TOOLS, failure: messageOf(error), at: Date.now() });
    }
    if (!before || before.failure !== null || known.get(key)?.failure === null)
      await tell(entry).catch((error: unknown) => log('a change notification failed', error));
  }

  const tell = ({ layer }: Entry): Promise<unknown> =>
    db.transaction((tx) =>
      recordEvent(
        tx,
        { type: 'tools-changed', workspace: layer.owner, agentId: null },
        new Date().toISOString(),
      ),
    );

  /** Reads a card once at a time. */
  function look(entry: Entry): Promise<void> {
    const key = keyOf(entry);
    const now = reading.get(key) ?? readCard(entry).finally(() => reading.delete(key));
    reading.set(key, now);
    return now;
  }

  const isStale = (entry: Entry): boolean => {
    const read = known.get(keyOf(entry));
    return !read || Date.now() - read.at > (read.failure === null ? FRESH_MS : AGAIN_AFTER_MS);
  };
  const toolsOf = (entry: Entry): readonly Tool[] => known.get(keyOf(entry))?.tools ?? NO_TOOLS;
  const isOf = (entry: Entry, tool: string): boolean =>
    tool.startsWith(`${entry.name}.`) || tool.startsWith(`${entry.name}__`);

  const provider: ToolProvider<View> = {
    async tools(view) {
      const entries = entriesOf(view);
      if (serving) for (const entry of entries) if (isStale(entry)) void look(entry);
      return joined(view, entries.map(toolsOf));
    },
    async arrive(view) {
      await Promise.all(
        entriesOf(view)
          .filter((entry) => !known.has(keyOf(entry)))
          .map(look),
      );
    },
    diagnostics: async (view) =>
      entriesOf(view).flatMap((entry) => problemOf(entry, known.get(keyOf(entry)))),
    absence(name, view) {
      const entry = entriesOf(view).find((each) => isOf(each, name));
      const failure = entry ? (known.get(keyOf(entry))?.failure ?? null) : null;
      return failure === null ? null : `the agent '${entry?.name}' cannot be reached: ${failure}`;
    },
    async awaitTool(name, view, isWanted) {
      const unseen = entriesOf(view).filter((entry) => !known.has(keyOf(entry)) && isOf(entry, name));
      const wanted = unseen.filter((entry) => isWanted(`${entry.name}.${name.slice(entry.name.length + 1)}`));
      await Promise.all(wanted.map(look));
      return wanted.length > 0;
    },
  };
  return {
    operations: {},
    toolProviders: [provider],
    async close() {
      await Promise.all(reading.values());
    },
  };
}

/** The workspace's entries first; of two with one name, the first is used. Unapproved configs have none. */
function entriesOf(view: View): Entry[] {
  const names = new Set<string>();
  return view.layers.flatMap((layer) =>
    Object.entries(layer.current().expanded?.tools?.a2a ?? {}).flatMap(([name, entry]) => {
      if (entry.disabled || names.has(name)) return [];
      names.add(name);
      return [{ name, url: entry.url, headers: entry.headers ?? {}, layer }];
    }),
  );
}

function problemOf({ name, layer }: Entry, read: Read | undefined): Diagnostic[] {
  if (!read || read.failure === null) return [];
  const { config } = layer.current();
  const at = {
    file: config.file,
    line: config.lineOf(['tools', 'a2a', name]),
    hint: '`zoo a2a card URL` shows the card of an agent.',
    workspace: layer.owner,
  };
  return [diagnose('warning', 'not-available', `the agent '${name}' cannot be reached: ${read.failure}`, at)];
}
