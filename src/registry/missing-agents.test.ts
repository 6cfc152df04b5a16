import { expect, it } from 'vitest';
import { diagnose } from '../platform/config/diagnose.ts';
import { whyMissing } from './missing-agents.ts';

const listed = new Set(['served']);

it('explains agents that are not listed, and errors of files whose agents are unknown', () => {
  const broken = diagnose('error', 'syntax', 'not valid YAML', { file: '/w/agents/new.md', agentId: 'new' });
  const unreadable = diagnose('error', 'unreadable', 'could not be read', { file: '/w/agents/x.md' });
  expect(whyMissing([broken, unreadable], listed)).toEqual([broken, unreadable]);
});

it('leaves out warnings, and errors of agents whose last good version is listed', () => {
  const kept = diagnose('error', 'syntax', 'not valid YAML', { file: '/w/agents/a.md', agentId: 'served' });
  const warning = diagnose('warning', 'unreadable', 'is ignored', { file: '/w/agents/x.md' });
  expect(whyMissing([kept, warning], listed)).toEqual([]);
});

it('reports a broken config even if its agents are listed: others in it may be missing', () => {
  const config = diagnose('error', 'syntax', 'not valid TOML', { file: '/w/zoo.toml', agentId: 'served' });
  expect(whyMissing([config], listed)).toEqual([config]);
});
