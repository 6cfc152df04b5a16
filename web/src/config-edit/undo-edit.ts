import type { UnaryName } from '../../../src/contract/api.ts';
import type { ConfigEdit, ConfigTarget } from '../../../src/contract/operations/config.ts';
import { call } from '../data/hub.ts';
import { invalidate } from '../data/queries.ts';
import { notify } from '../kit/toasts.tsx';

/** Answers that a change to a config makes stale. */
export const afterEdits: readonly UnaryName[] = [
  'listUpstreams',
  'listTools',
  'listSources',
  'getTrust',
  'getUpstreamLog',
  'previewConfig',
];

/** Takes a change to a config back, unless the file has changed since. */
export async function undoEdit(edit: ConfigEdit, target: ConfigTarget): Promise<void> {
  const change = { kind: 'restore', text: edit.before } as const;
  const now = await call('previewConfig', { body: { change, target } });
  if (now.before !== edit.after) {
    notify('Not undone: the file has changed since then.');
    return;
  }
  await call('applyConfig', { body: { change, target, hash: now.hash } });
  invalidate(afterEdits);
}
