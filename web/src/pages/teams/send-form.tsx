import { Send } from 'lucide-react';
import { useState } from 'react';
import type { TeamMember } from '../../../../src/contract/team.ts';
import { call } from '../../data/hub.ts';
import { Button } from '../../kit/button.tsx';
import { ErrorNote } from '../../kit/feedback.tsx';
import { TextArea } from '../../kit/field.tsx';
import { formatCount } from '../../kit/numbers.ts';
import { PlainSelect } from '../../kit/selects/plain-select.tsx';
import { notify } from '../../kit/toasts.tsx';

const EVERYBODY = '*';

/** A message to one member, or to all that still work. */
export function SendForm({ teamId, members }: { teamId: string; members: readonly TeamMember[] }) {
  const reachable = members.filter(({ state }) => state !== 'stopped' && state !== 'failed');
  const [to, setTo] = useState<string | null>(null);
  const [text, setText] = useState('');
  const [isSending, setSending] = useState(false);
  const [failure, setFailure] = useState<Error | null>(null);
  const chosen = to ?? reachable[0]?.id ?? EVERYBODY;
  const send = async (): Promise<void> => {
    setSending(true);
    setFailure(null);
    const receivers = reachable.filter(({ id }) => chosen === EVERYBODY || id === chosen);
    const sent = await Promise.allSettled(
      receivers.map((member) => call('sendToMember', { id: teamId, body: { to: member.id, text } })),
    );
    const failed = sent.find((each) => each.status === 'rejected');
    if (failed) {
      setFailure(failed.reason instanceof Error ? failed.reason : new Error(String(failed.reason)));
    } else {
      setText('');
      notify(
        `Sent to ${chosen === EVERYBODY ? formatCount(receivers.length, 'member') : (receivers[0]?.name ?? '')}.`,
      );
    }
    setSending(false);
  };
  return (
    <form
      aria-label="Send a message"
      className="grid gap-2 pt-3"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <TextArea
        aria-label="Message"
        rows={2}
        placeholder="A message is delivered with the recipient’s next turn"
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <div className="flex flex-wrap items-center gap-2">
        <PlainSelect
          label="To"
          value={chosen}
          options={[
            ...reachable.map(({ id, name }) => ({ value: id, label: name })),
            { value: EVERYBODY, label: 'Everybody' },
          ]}
          onChange={setTo}
        />
        <Button
          type="submit"
          look="primary"
          icon={<Send />}
          disabled={isSending || text.trim() === '' || reachable.length === 0}
        >
          {chosen === EVERYBODY ? 'Broadcast' : 'Send'}
        </Button>
      </div>
      {failure ? <ErrorNote error={failure} /> : null}
    </form>
  );
}
