import { Menu as BaseMenu } from '@base-ui/react/menu';
import type { MenuProps } from './menu.tsx';

/** A menu that has been opened at least once. */
export function OpenedMenu({ trigger, items, align = 'start' }: MenuProps) {
  return (
    <BaseMenu.Root defaultOpen>
      <BaseMenu.Trigger render={trigger} />
      <BaseMenu.Portal>
        <BaseMenu.Positioner sideOffset={4} align={align} className="z-40">
          <BaseMenu.Popup
            className={`max-h-96 min-w-44 max-w-96 overflow-y-auto rounded-lg p-1 border border-line bg-sheet shadow-float outline-none`}
          >
            {items.map((item, index) =>
              item === 'line' ? (
                <BaseMenu.Separator key={index} className="mx-1 my-1 h-px bg-line" />
              ) : (
                <BaseMenu.Item
                  key={item.label}
                  onClick={item.onSelect}
                  className={`flex cursor-default items-center gap-2 rounded-sm px-2 py-1.5 text-sm outline-none data-highlighted:bg-wash [&_svg]:size-4 [&_svg]:shrink-0 ${item.danger === true ? 'text-danger' : ''}`}
                >
                  {item.icon}
                  <span className="min-w-0 flex-1">
                    <span className="block truncate">{item.label}</span>
                    {item.hint === undefined ? null : (
                      <span className="block truncate text-xs text-soft">{item.hint}</span>
                    )}
                  </span>
                  {item.checked === true ? <span className="text-xs text-leaf">current</span> : null}
                </BaseMenu.Item>
              ),
            )}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}
