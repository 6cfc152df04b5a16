import type { TeamMember, TeamMessage, TeamSummary } from '../../../../src/contract/team.ts';
import type { Mood } from '../../creature/eyes.ts';
import type { Tone } from '../../kit/feedback.tsx';
import { formatUsd } from '../../kit/money.ts';
import { formatCount } from '../../kit/numbers.ts';

export const teamStates: Record<TeamSummary['state'], { word: string; tone: Tone }> = {
  running: { word: 'Running', tone: 'leaf' },
  paused: { word: 'Paused', tone: 'amber' },
  done: { word: 'Done', tone: 'neutral' },
  failed: { word: 'Failed', tone: 'danger' },
  stopped: { word: 'Stopped', tone: 'neutral' },
};

export const memberStates: Record<TeamMember['state'], { word: string; tone: Tone; mood: Mood }> = {
  idle: { word: 'Idle', tone: 'neutral', mood: 'awake' },
  busy: { word: 'At work', tone: 'leaf', mood: 'working' },
  waiting: { word: 'Waits for a reply', tone: 'amber', mood: 'awake' },
  done: { word: 'Done', tone: 'neutral', mood: 'asleep' },
  failed: { word: 'Failed', tone: 'danger', mood: 'unwell' },
  stopped: { word: 'Stopped', tone: 'neutral', mood: 'asleep' },
};

export const receipts: Record<TeamMessage['state'], { word: string; tone: Tone; about: string }> = {
  queued: { word: 'queued', tone: 'neutral', about: 'Waiting for the recipient’s next turn.' },
  delivered: { word: 'delivered', tone: 'neutral', about: 'In a prompt of the recipient.' },
  read: { word: 'read', tone: 'leaf', about: 'The recipient finished the turn that contained it.' },
  answered: { word: 'answered', tone: 'leaf', about: 'The recipient replied.' },
  dead: { word: 'dead', tone: 'danger', about: 'Could not be delivered.' },
};

/** "3 turns, 1,204 tokens, $0.0031". */
export const formatSpent = ({ turns, tokens, usd }: TeamSummary['spent']): string =>
  `${formatCount(turns, 'turn')}, ${formatCount(tokens, 'token')}, ${formatUsd(usd)}`;

/** Whether a team can still be paused, stopped and written to. */
export const isAlive = ({ state }: Pick<TeamSummary, 'state'>): boolean =>
  state === 'running' || state === 'paused';
