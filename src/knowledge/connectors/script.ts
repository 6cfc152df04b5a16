import { textIn } from '../connector-config.ts';
import type { Connector, ScanEnd, ScannedItem, ScriptItem } from '../connector.ts';
import { SourceError } from '../source-error.ts';

/** The items of a script, as it emits them. The script runs in the hub's process: see `RunScript`. */
export const script: Connector = {
  type: 'script',
  streams: true,
  location: ({ config }) => textIn(config, 'path') ?? '',

  async *scan(source, { runScript, checkpoint, signal }) {
    if (!runScript) throw new SourceError('scripts cannot be run here');
    const waiting: { item: ScriptItem; taken: () => void }[] = [];
    const state: { end: ScanEnd | null; failed: { error: unknown } | null; wake: () => void } = {
      end: null,
      failed: null,
      wake: () => undefined,
    };
    signal.addEventListener('abort', () => state.wake(), { once: true });
    const emit = (item: ScriptItem) =>
      new Promise<void>((taken) => {
        waiting.push({ item, taken });
        state.wake();
      });
    void runScript(source, checkpoint, emit, signal)
      .then(
        (end) => (state.end = end),
        (error: unknown) => (state.failed = { error }),
      )
      .finally(() => state.wake());
    for (let count = 1; ;) {
      signal.throwIfAborted();
      const next = waiting.shift();
      if (next) {
        yield itemOf(next.item, count++);
        next.taken();
        continue;
      }
      if (state.failed) throw state.failed.error;
      if (state.end) return state.end;
      await new Promise<void>((resolve) => {
        state.wake = resolve;
      });
    }
  },
};

function itemOf(item: ScriptItem, number: number): ScannedItem {
  const path = textOf(item.path) ?? textOf(item.id);
  const body = textOf(item.body) ?? textOf(item.content);
  const { metadata } = item;
  const title = textOf(item.title);
  const url = textOf(item.url);
  const updatedAt = typeof item.updated_at === 'number' ? item.updated_at * 1000 : textOf(item.updated_at);
  return {
    path: path === undefined || path === '' ? `(item ${number})` : path,
    fingerprint: null,
    bytes: body === undefined ? null : Buffer.byteLength(body),
    mimeType: textOf(item.mime_type) ?? 'text/markdown',
    ...(title === undefined || title === '' ? {} : { title }),
    ...(url === undefined ? {} : { url }),
    ...(updatedAt === undefined ? {} : { updatedAt }),
    ...(isRecord(metadata) ? { metadata } : {}),
    async read() {
      if (path === undefined || path === '') throw new SourceError('has neither `id` nor `path`');
      if (body === undefined) throw new SourceError('has no `body`');
      return body;
    },
  };
}

/** Accepts numbers as ids. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
