import { Link } from '@tanstack/react-router';
import { Bell, BookX, MailX, PlugZap, ShieldQuestion } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { useHubQuery } from '../../data/queries.ts';
import { Button, buttonClass } from '../../kit/button.tsx';
import { ErrorNote, Skeleton } from '../../kit/feedback.tsx';
import { Page } from '../../kit/page.tsx';
import { QuestionCard } from '../../questions/question-card.tsx';
import { Today } from './today.tsx';
import { useTroubles, type Trouble } from './use-troubles.ts';
import { WorkingNow } from './working-now.tsx';
import { HubText } from '../../kit/hub-text/hub-text.tsx';

/** What waits for somebody, what works right now, and what today has cost. */
export function HomePage() {
  return (
    <Page
      title="Home"
      about="What needs you, what is running, and what it has cost today."
      actions={<AllowNotices />}
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-14 gap-y-10 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <WaitingForYou />
        <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-10">
          <WorkingNow />
          <Today />
        </div>
      </div>
    </Page>
  );
}

function WaitingForYou() {
  const { data, error } = useHubQuery('listQuestions', {});
  const troubles = useTroubles();
  const isClear = data?.questions.length === 0 && troubles.length === 0;
  return (
    <section aria-labelledby="waiting">
      <h2 id="waiting" className="mb-2 font-serif text-xl">
        Waits for you
      </h2>
      {error ? <ErrorNote error={error} /> : null}
      {data === undefined && !error ? <Skeleton lines={4} /> : null}
      {isClear ? (
        <p className="text-base text-soft">
          Nothing needs you. Approvals, questions from servers, dead letters and failed syncs appear here.
        </p>
      ) : null}
      {isClear || data === undefined ? null : (
        <ul className="border-t border-line">
          {data.questions.map((question) => (
            <QuestionCard key={question.id} question={question} />
          ))}
          {troubles.map((trouble) => (
            <TroubleRow key={trouble.key} trouble={trouble} />
          ))}
        </ul>
      )}
    </section>
  );
}

const icons: Record<Trouble['kind'], ReactNode> = {
  trust: <ShieldQuestion />,
  server: <PlugZap />,
  source: <BookX />,
  letter: <MailX />,
};

function TroubleRow({ trouble: { kind, text, more, link } }: { trouble: Trouble }) {
  const about = useId();
  return (
    <li className="flex gap-3 border-b border-line py-3">
      <span className="mt-1 text-amber [&_svg]:size-4">{icons[kind]}</span>
      <div className="min-w-0 flex-1">
        <p id={about} className="text-base break-words">
          {text}
        </p>
        {more === '' ? null : (
          <p className="text-sm break-words text-soft">
            <HubText>{more}</HubText>
          </p>
        )}
      </div>
      <Link {...link} aria-describedby={about} className={`shrink-0 ${buttonClass('plain', true)}`}>
        Look
      </Link>
    </li>
  );
}

/** Browsers ask once, and only after a click. */
function AllowNotices() {
  const [permission, setPermission] = useState(() =>
    'Notification' in globalThis ? Notification.permission : 'denied',
  );
  if (permission !== 'default') return null;
  return (
    <Button icon={<Bell />} onClick={() => void Notification.requestPermission().then(setPermission)}>
      Notify me in this browser
    </Button>
  );
}
