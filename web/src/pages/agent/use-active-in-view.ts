import { useLocation } from '@tanstack/react-router';
import { type RefObject, useEffect, useRef } from 'react';

/** For a row of links that scrolls sideways on narrow screens: the link of this page is always in sight. */
export function useActiveInView<E extends HTMLElement>(): RefObject<E | null> {
  const row = useRef<E>(null);
  const { pathname } = useLocation();
  const shown = useRef('');
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    const active = row.current?.querySelector('[aria-current="page"]');
    if (row.current && active instanceof HTMLElement) {
      row.current.scrollLeft = active.offsetLeft - (row.current.clientWidth - active.offsetWidth) / 2;
    }
  });
  return row;
}
