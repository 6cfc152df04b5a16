import { cloneElement, type HTMLAttributes, type ReactElement, type ReactNode, useState } from 'react';
import { OnDemand, onDemand } from '../on-demand.tsx';

export interface MenuItem {
  label: string;
  icon?: ReactNode;
  hint?: string;
  danger?: boolean;
  checked?: boolean;
  onSelect: () => void;
}

export interface MenuProps {
  trigger: ReactElement<HTMLAttributes<HTMLElement>>;
  items: readonly (MenuItem | 'line')[];
  align?: 'start' | 'end';
}

const openedMenu = onDemand(async () => (await import('./opened-menu.tsx')).OpenedMenu);

/** Its trigger is there at once. The menu itself, a quarter of the first page's script, loads when it is needed. */
export function Menu(props: MenuProps) {
  const [isOpened, setOpened] = useState(false);
  const closed = cloneElement(props.trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onPointerEnter: openedMenu.preload,
    onFocus: openedMenu.preload,
    onClick: () => setOpened(true),
  });
  return isOpened ? <OnDemand part={openedMenu} props={props} fallback={closed} /> : closed;
}
