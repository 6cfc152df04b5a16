import { type ComponentProps, type ReactNode, useId } from 'react';
import { HubText } from './hub-text/hub-text.tsx';

const control =
  'w-full rounded-md border border-line-strong bg-sheet px-2.5 text-sm text-ink transition-colors hover:border-faint aria-invalid:border-danger disabled:bg-wash disabled:text-faint disabled:hover:border-line-strong';

interface FieldProps {
  label: string;
  /** One sentence on what it does. */
  hint?: ReactNode;
  /** What is wrong, why, and what to do. */
  error?: string | null;
  /** For what stands on the right of the label: a count, a state. */
  aside?: ReactNode;
  children: (ids: { id: string; 'aria-describedby': string; 'aria-invalid': boolean }) => ReactNode;
}

/** A control with its label, its hint and what is wrong with it. */
export function Field({ label, hint, error = null, aside, children }: FieldProps) {
  const id = useId();
  const note = `${id}-note`;
  return (
    <div className="grid gap-1.5">
      <div className="flex items-baseline justify-between gap-3">
        <label htmlFor={id} className="text-sm font-medium">
          {label}
        </label>
        {aside === undefined ? null : <span className="text-xs text-faint tabular">{aside}</span>}
      </div>
      {children({ id, 'aria-describedby': note, 'aria-invalid': error !== null })}
      <p id={note} className={`text-xs ${error === null ? 'text-soft' : 'text-danger'}`}>
        {error === null ? hint : <HubText>{error}</HubText>}
      </p>
    </div>
  );
}

export function TextInput({ className = '', ...rest }: ComponentProps<'input'>) {
  return <input type="text" autoComplete="off" {...rest} className={`${control} h-8.5 ${className}`} />;
}

export function TextArea({ className = '', ...rest }: ComponentProps<'textarea'>) {
  return (
    <textarea
      rows={3}
      {...rest}
      className={`${control} field-sizing-content min-h-17 py-1.5 leading-5 ${className}`}
    />
  );
}

interface SearchInputProps extends Omit<ComponentProps<'input'>, 'onChange'> {
  label: string;
  onChange: (text: string) => void;
  icon: ReactNode;
}

export function SearchInput({ label, onChange, icon, className = '', ...rest }: SearchInputProps) {
  return (
    <div className={`relative ${className}`}>
      <span className="pointer-events-none absolute top-0 left-2.5 grid h-full place-items-center text-faint [&_svg]:size-4">
        {icon}
      </span>
      <input
        type="search"
        aria-label={label}
        autoComplete="off"
        spellCheck={false}
        {...rest}
        onChange={({ target }) => onChange(target.value)}
        className={`${control} h-8.5 pl-8`}
      />
    </div>
  );
}
