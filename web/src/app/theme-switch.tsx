import { Monitor, Moon, Sun } from 'lucide-react';
import { Menu } from '../kit/menus/menu.tsx';
import { chooseTheme, type ThemeChoice, useTheme } from './theme.ts';

const choices: readonly { value: ThemeChoice; label: string; icon: React.ReactNode }[] = [
  { value: 'system', label: 'System', icon: <Monitor /> },
  { value: 'light', label: 'Light', icon: <Sun /> },
  { value: 'dark', label: 'Dark', icon: <Moon /> },
];

export function ThemeSwitch() {
  const theme = useTheme();
  const shown = choices.find(({ value }) => value === theme);
  return (
    <Menu
      trigger={
        <button
          type="button"
          aria-label={`Theme: ${shown?.label ?? ''}`}
          className="flex w-full items-center gap-2.5 rounded-md px-2 py-1.5 text-sm text-soft hover:bg-wash hover:text-ink [&_svg]:size-4"
        >
          {shown?.icon}
          <span className="max-lg:hidden">Theme</span>
        </button>
      }
      items={choices.map(({ value, label, icon }) => ({
        label,
        icon,
        checked: value === theme,
        onSelect: () => chooseTheme(value),
      }))}
    />
  );
}
