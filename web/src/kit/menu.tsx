import {
  cloneElement,
  type HTMLAttributes,
  lazy,
  type ReactElement,
  type ReactNode,
  Suspense,
  useState,
} from 'react';

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

const load = async () => ({ default: (await import('./opened-menu.tsx')).OpenedMenu });
const OpenedMenu = lazy(load);

/** Its trigger is there at once. The menu itself, a quarter of the first page's script, loads when it is needed. */
export function Menu(props: MenuProps) {
  const [isOpened, setOpened] = useState(false);
  const closed = cloneElement(props.trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onPointerEnter: () => void load(),
    onFocus: () => void load(),
    onClick: () => setOpened(true),
  });
  return isOpened ? (
    <Suspense fallback={closed}>
      <OpenedMenu {...props} />
    </Suspense>
  ) : (
    closed
  );
}
