import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';

interface Answers {
  allow: () => void;
  deny: () => void;
}

/** An approval on the page that A and D may answer. */
interface Waiting extends Answers {
  element: () => HTMLElement | null;
}

const waiting: Waiting[] = [];

/**
 * Lets A allow and D deny this approval, the topmost one first. One that is off the screen is only brought into view
 * by the first press: nobody allows what they have not seen.
 */
export function useApprovalKeys(place: RefObject<HTMLElement | null>, answers: Answers): void {
  const latest = useRef(answers);
  useEffect(() => {
    latest.current = answers;
  });
  // With the buttons, not a moment later: the keys work as soon as they are seen.
  useLayoutEffect(
    () =>
      add({
        element: () => place.current,
        allow: () => latest.current.allow(),
        deny: () => latest.current.deny(),
      }),
    [place],
  );
}

function add(approval: Waiting): () => void {
  waiting.push(approval);
  if (waiting.length === 1) addEventListener('keydown', listen);
  return () => {
    waiting.splice(waiting.indexOf(approval), 1);
    if (waiting.length === 0) removeEventListener('keydown', listen);
  };
}

function listen(event: KeyboardEvent): void {
  const key = event.key.toLowerCase();
  if ((key !== 'a' && key !== 'd') || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (isTyping(event.target)) return;
  const [first] = waiting.toSorted(byPlace);
  const element = first?.element();
  if (!first || !element || isCovered(element)) return;
  event.preventDefault();
  if (!isInView(element)) {
    element.scrollIntoView({ block: 'center' });
    return;
  }
  if (key === 'a') first.allow();
  else first.deny();
}

const byPlace = (a: Waiting, b: Waiting): number =>
  (a.element()?.getBoundingClientRect().top ?? 0) - (b.element()?.getBoundingClientRect().top ?? 0);

/** Whether a sheet or a dialog is open above it. */
function isCovered(element: HTMLElement): boolean {
  const open = document.querySelector('[role="dialog"], [role="alertdialog"]');
  return open !== null && !open.contains(element);
}

const ENOUGH_PX = 100;

/** Whether enough of it is seen to know what it is about, within whatever it scrolls in. */
function isInView(element: HTMLElement): boolean {
  const { top, bottom, height } = element.getBoundingClientRect();
  const frame = scrollerOf(element)?.getBoundingClientRect() ?? { top: 0, bottom: innerHeight };
  const shown = Math.min(bottom, frame.bottom, innerHeight) - Math.max(top, frame.top, 0);
  return shown >= Math.min(ENOUGH_PX, height);
}

function scrollerOf(element: HTMLElement): HTMLElement | null {
  const { parentElement } = element;
  if (parentElement === null || /auto|scroll/.test(getComputedStyle(parentElement).overflowY))
    return parentElement;
  return scrollerOf(parentElement);
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName));
