import { describe, expect, it } from 'vitest';
import { plain } from '../output/paint.ts';
import { fitProgress, renderChange, renderDone } from './sync.ts';

const progress = {
  type: 'progress',
  source: 'filesystem:handbook',
  phase: 'index',
  documents: 379,
  totalDocuments: 8325,
  bytes: 6_000_000,
  totalBytes: 60_000_000,
  elapsedMs: 12_000,
  remainingMs: 140_000,
} as const;
const bar = (size: number) => '='.repeat(size);
const counts = {
  scanned: 0,
  added: 0,
  changed: 0,
  moved: 0,
  deleted: 0,
  unchanged: 0,
  skipped: 0,
  failed: 0,
  bytes: 0,
  chunks: 0,
  embedded: 0,
};

describe('sync progress', () => {
  it.each([200, 100, 80, 72])('shows documents, bytes, rate and time left in %d columns', (columns) => {
    const line = fitProgress(progress, bar, columns);
    expect(line).toContain(' 379/8325 documents, 6.0 MB, 500 kB/s, 2 min left');
    expect(line.length).toBeLessThan(columns);
  });

  it('shortens the bar, then drops it, then cuts the line', () => {
    expect(fitProgress(progress, bar, 200)).toContain(`[${bar(24)}]`);
    expect(fitProgress(progress, bar, 100)).toContain('[=======');
    expect(fitProgress(progress, bar, 80)).toMatch(/handbook \[={6,}\] 379/);
    expect(fitProgress(progress, bar, 30)).toMatch(/^filesystem:handbook 379.*…$/);
  });
});

it('keeps each document on one line, whatever its name', () => {
  const event = { type: 'change', source: 'git:a', path: 'b\n\u001b[31m.md', from: 'a.md' } as const;
  expect(renderChange({ ...event, change: 'moved' }, plain)).toBe('  > a.md → b ⏎ ␛[31m.md  git:a');
});

it('counts only documents that were checked', () => {
  const view = { paint: plain, columns: Infinity };
  const done = { type: 'done', source: 'git:a', tookMs: 50, counts } as const;
  expect(renderDone({ ...done, ok: false, error: 'no' }, false, view)).toBe('✗ git:a (0.1 s)\n    no');
  expect(renderDone({ ...done, ok: true, error: null }, false, view)).toBe('✓ git:a  0 unchanged (0.1 s)');
  const made = { ...done, ok: true, error: null, counts: { ...counts, embedded: 12 } };
  expect(renderDone(made, false, view)).toBe('✓ git:a  12 embedded (0.1 s)');
});
