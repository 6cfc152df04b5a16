import type { ComponentProps, ReactNode } from 'react';

export type ButtonLook = 'plain' | 'primary' | 'quiet' | 'danger';

const looks: Record<ButtonLook, string> = {
  plain: 'border-line-strong bg-sheet text-ink hover:bg-wash active:bg-press',
  primary: 'border-transparent bg-leaf text-on-leaf hover:bg-leaf-strong active:bg-leaf-strong',
  quiet: 'border-transparent bg-transparent text-soft hover:bg-wash hover:text-ink active:bg-press',
  danger: 'border-line-strong bg-sheet text-danger hover:bg-danger-wash active:bg-danger-wash',
};

const base =
  'inline-flex items-center justify-center gap-1.5 rounded-md border font-medium whitespace-nowrap transition-colors select-none disabled:pointer-events-none disabled:opacity-45 [&_svg]:size-4 [&_svg]:shrink-0';

export interface ButtonProps extends ComponentProps<'button'> {
  look?: ButtonLook;
  small?: boolean;
  icon?: ReactNode;
  /** Shown beside the words, as in the command palette. */
  keys?: string;
}

export const buttonClass = (look: ButtonLook = 'plain', small = false): string =>
  `${base} ${looks[look]} ${small ? 'h-7 px-2 text-xs' : 'h-8.5 px-3 text-sm'}`;

export function Button({ look, small, icon, keys, className = '', children, ...rest }: ButtonProps) {
  return (
    <button type="button" {...rest} className={`${buttonClass(look, small)} ${className}`}>
      {icon}
      {children}
      {keys === undefined ? null : (
        <kbd aria-hidden="true" className="ml-1 font-sans text-xs font-normal opacity-90 max-sm:hidden">
          {keys}
        </kbd>
      )}
    </button>
  );
}

interface IconButtonProps extends ComponentProps<'button'> {
  /** For screen readers and the tooltip. */
  label: string;
  small?: boolean;
}

/** An icon whose meaning is plain where it stands; anywhere else, use a button with words. */
export function IconButton({ label, small = false, className = '', children, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...rest}
      className={`${base} ${looks.quiet} ${small ? 'size-7' : 'size-8.5'} ${className}`}
    >
      {children}
    </button>
  );
}
