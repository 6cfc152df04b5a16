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

function isInView(element: HTMLElement): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return top >= 0 && Math.min(bottom, top + 120) <= innerHeight;
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName));
