import type { PaletteAction } from './palette-actions.ts';

const MAX_SHOWN = 60;

/** Those that have every word, the ones whose label begins with the text first; groups stay together. */
export function rankActions(actions: readonly PaletteAction[], text: string): PaletteAction[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const scored = actions.flatMap((action, index) => {
    const score = scoreOf(action, words);
    return score === 0 ? [] : [{ action, index, score }];
  });
  const best = new Map<string, number>();
  for (const { action, score } of scored)
    best.set(action.group, Math.max(best.get(action.group) ?? 0, score));
  const groups = [...best.keys()];
  return scored
    .toSorted(
      (a, b) =>
        (best.get(b.action.group) ?? 0) - (best.get(a.action.group) ?? 0) ||
        groups.indexOf(a.action.group) - groups.indexOf(b.action.group) ||
        b.score - a.score ||
        a.index - b.index,
    )
    .slice(0, MAX_SHOWN)
    .map(({ action }) => action);
}

function scoreOf({ label, hint = '', group }: PaletteAction, words: readonly string[]): number {
  if (words.length === 0) return 1;
  const name = label.toLowerCase();
  const rest = `${name} ${hint} ${group}`.toLowerCase();
  if (!words.every((word) => rest.includes(word))) return 0;
  const [first = ''] = words;
  if (name.startsWith(first)) return 4;
  if (name.split(/\W+/).some((word) => word.startsWith(first))) return 3;
  return name.includes(first) ? 2 : 1;
}
