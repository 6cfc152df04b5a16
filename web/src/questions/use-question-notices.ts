import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useHubQuery } from '../data/queries.ts';
import { announce } from '../kit/toasts.tsx';
import { isShownAt } from './is-shown-at.ts';

/** Tells of each new question: in the page, and by the browser where that is allowed and the page is out of sight. */
export function useQuestionNotices(): void {
  const questions = useHubQuery('listQuestions', {}).data?.questions;
  const navigate = useNavigate();
  const known = useRef<ReadonlySet<string> | null>(null);
  useEffect(() => {
    if (questions === undefined) return;
    const before = known.current;
    known.current = new Set(questions.map(({ id }) => id));
    // Those that were there when the page was opened are counted in the rail.
    if (before === null) return;
    const look = (): void => void navigate({ to: '/home' });
    for (const question of questions) {
      const { id, title } = question;
      if (before.has(id)) continue;
      if (!isShownAt(location.pathname, question)) announce(title, { label: 'Look', run: look });
      if (document.visibilityState === 'hidden') notifyByBrowser(id, title, look);
    }
  }, [questions, navigate]);
}

function notifyByBrowser(id: string, title: string, look: () => void): void {
  if (!('Notification' in globalThis) || Notification.permission !== 'granted') return;
  // The same tag in all windows: the browser shows it once.
  const notice = new Notification('Agent Zoo waits for you', { body: title, tag: id, icon: '/icon.svg' });
  notice.addEventListener('click', () => {
    window.focus();
    look();
    notice.close();
  });
}
