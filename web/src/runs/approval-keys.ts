/** An approval on the page that A and D may answer. */
interface Waiting {
  element: () => HTMLElement | null;
  allow: () => void;
  deny: () => void;
}

const waiting: Waiting[] = [];

/**
 * Lets A allow and D deny this approval, oldest first. One that is off the screen is only brought into view by the
 * first press: nobody allows what they have not seen.
 */
export function onApprovalKeys(approval: Waiting): () => void {
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
  if (!first || !element) return;
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

const ENOUGH_PX = 100;

/** Whether enough of it is seen to know what it is about, within whatever it scrolls in. */
function isInView(element: HTMLElement): boolean {
  const { top, bottom, height } = element.getBoundingClientRect();
  const frame = scrollerOf(element)?.getBoundingClientRect() ?? { top: 0, bottom: innerHeight };
  return Math.min(bottom, frame.bottom) - Math.max(top, frame.top) >= Math.min(ENOUGH_PX, height);
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
