import { Link } from '@tanstack/react-router';
import { Menu } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { WaitingCount } from '../questions/waiting-count.tsx';
import { destinations } from './navigation.tsx';
import { railItem } from './rail-item.ts';

/** The pages: in the rail, or behind a button where there is no room for their names. */
export function PageLinks() {
  const [isOpen, setOpen] = useState(false);
  const panel = useId();
  const menu = useRef<HTMLElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isOpen) return undefined;
    const ending = new AbortController();
    const leave = ({ target }: Event): void => {
      if (target instanceof Node && menu.current?.contains(target) !== true) setOpen(false);
    };
    const escape = ({ key }: KeyboardEvent): void => {
      if (key !== 'Escape') return;
      // The focus must not stay on a link that is hidden.
      if (menu.current?.contains(document.activeElement)) button.current?.focus();
      setOpen(false);
    };
    document.addEventListener('pointerdown', leave, { signal: ending.signal });
    document.addEventListener('focusin', leave, { signal: ending.signal });
    document.addEventListener('keydown', escape, { signal: ending.signal });
    return () => ending.abort();
  }, [isOpen]);
  return (
    <nav ref={menu} aria-label="Pages" className="max-md:flex-1">
      <button
        ref={button}
        type="button"
        aria-expanded={isOpen}
        aria-controls={panel}
        className={`${railItem} md:hidden`}
        onClick={() => setOpen(!isOpen)}
      >
        <Menu />
        Menu
        {isOpen ? null : <WaitingCount />}
      </button>
      <div
        id={panel}
        className={`gap-0.5 max-md:absolute max-md:inset-x-0 max-md:top-full max-md:grid-cols-2 max-md:border-b max-md:border-line max-md:bg-paper max-md:p-2 max-md:shadow-float md:flex md:flex-col ${isOpen ? 'max-md:grid' : 'max-md:hidden'}`}
      >
        {destinations
          .filter(({ hidden }) => hidden !== true)
          .map(({ to, label, icon }) => (
            <Link
              key={to}
              to={to}
              title={label}
              className={railItem}
              activeProps={{ className: 'bg-leaf-wash font-medium !text-leaf-strong' }}
              activeOptions={{ exact: false }}
              onClick={() => setOpen(false)}
            >
              {icon}
              <span className="flex-1 md:max-lg:sr-only">{label}</span>
              {to === '/home' ? <WaitingCount /> : null}
            </Link>
          ))}
      </div>
    </nav>
  );
}
