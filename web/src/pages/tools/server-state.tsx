import type { UpstreamStatus } from '../../../../src/contract/operations/upstreams.ts';
import { Badge, type Tone } from '../../kit/feedback.tsx';

const states: Record<UpstreamStatus['state'], { word: string; tone: Tone; about: string }> = {
  ready: { word: 'Ready', tone: 'leaf', about: 'It runs, or is connected.' },
  starting: { word: 'Starting', tone: 'amber', about: 'It is being started or reached.' },
  idle: { word: 'Idle', tone: 'neutral', about: 'Not running: the next call starts it.' },
  failed: { word: 'Failed', tone: 'danger', about: 'It could not be started or reached.' },
  disabled: { word: 'Disabled', tone: 'neutral', about: 'Switched off in its config.' },
  untrusted: { word: 'Needs approval', tone: 'amber', about: 'Its workspace is not approved.' },
};

export function ServerState({ state }: Pick<UpstreamStatus, 'state'>) {
  const { word, tone, about } = states[state];
  return (
    <span title={about}>
      <Badge tone={tone}>{word}</Badge>
    </span>
  );
}
