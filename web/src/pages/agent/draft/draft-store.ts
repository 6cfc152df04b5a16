import { local, session } from '../../../data/browser-storage.ts';
import type { Draft } from './merge-draft.ts';

const PREFIX = 'agent-zoo-draft';
const WINDOW = 'agent-zoo-window';

/**
 * Drafts live in the storage of this origin, so they survive a reload, a crash of the hub and a closed tab. Each
 * window has its own: two windows on one agent do not type into each other.
 */
function windowId(): string {
  const known = session.getItem(WINDOW);
  if (known !== null) return known;
  const made = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16)).join('');
  session.setItem(WINDOW, made);
  return made;
}

const prefixOf = (agentId: string): string => `${PREFIX}:${agentId}:`;
const keyOf = (agentId: string): string => prefixOf(agentId) + windowId();

/** Holds a lock for as long as this window is open, by which others know that its drafts are in use. */
export async function claimWindow(): Promise<void> {
  if (!('locks' in navigator)) return;
  const claim = (id: string): Promise<boolean> =>
    new Promise((resolve) => {
      void navigator.locks.request(`${WINDOW}:${id}`, { ifAvailable: true }, (lock) => {
        resolve(lock !== null);
        // Held until the window closes.
        return lock === null ? undefined : new Promise<never>(() => {});
      });
    });
  if (await claim(windowId())) return;
  // A duplicated tab begins with the storage of the first: it needs a name of its own.
  session.removeItem(WINDOW);
  await claim(windowId());
}

export function readDraft(agentId: string): Draft | null {
  const stored = local.getItem(keyOf(agentId));
  return stored === null ? null : parseDraft(stored);
}

export function writeDraft(agentId: string, draft: Draft | null): void {
  if (draft === null || Object.keys(draft.fields).length === 0) local.removeItem(keyOf(agentId));
  else local.setWork(keyOf(agentId), JSON.stringify(draft));
}

/** Takes over the draft of a window that was closed, if this one has none. */
export async function adoptDraft(agentId: string): Promise<Draft | null> {
  const own = readDraft(agentId);
  if (own) return own;
  const open = await openWindows();
  const prefix = prefixOf(agentId);
  const orphan = local.keys().find((key) => key.startsWith(prefix) && !open.has(key.slice(prefix.length)));
  if (orphan === undefined) return null;
  const draft = parseDraft(local.getItem(orphan) ?? '');
  local.removeItem(orphan);
  writeDraft(agentId, draft);
  return draft;
}

async function openWindows(): Promise<ReadonlySet<string>> {
  if (!('locks' in navigator)) return new Set();
  const { held = [] } = await navigator.locks.query();
  return new Set(
    held.flatMap(({ name }) => (name?.startsWith(`${WINDOW}:`) ? [name.slice(WINDOW.length + 1)] : [])),
  );
}

function parseDraft(text: string): Draft | null {
  try {
    const value: unknown = JSON.parse(text);
    return isDraft(value) ? value : null;
  } catch {
    return null;
  }
}

const isDraft = (value: unknown): value is Draft =>
  typeof value === 'object' && value !== null && 'fields' in value && 'base' in value && 'revision' in value;
