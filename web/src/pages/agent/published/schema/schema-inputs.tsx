import { useEffect, useRef, useState } from 'react';
import { TextInput } from '../../../../kit/field.tsx';

interface NameInputProps {
  label: string;
  value: string;
  /** Names that others beside it have. */
  taken: readonly string[];
  /** Takes the focus when it appears, with its text selected. */
  isNew: boolean;
  disabled: boolean;
  onChange: (name: string) => void;
}

const NAME = /^[\p{L}_][\p{L}\p{N}_-]*$/u;

/** A name counts as soon as it is one: what is typed on the way there stays in the field. */
export function NameInput({ label, value, taken, isNew, disabled, onChange }: NameInputProps) {
  const [typed, setTyped] = useState<{ text: string; over: string } | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const wantsFocus = useRef(isNew);
  useEffect(() => {
    if (!wantsFocus.current) return;
    input.current?.focus();
    input.current?.select();
  }, []);
  // A text that was not accepted stays until the name changes elsewhere.
  const text = typed?.over === value ? typed.text : value;
  const problem = problemOf(text, taken);
  return (
    <span className="min-w-0 flex-1">
      <TextInput
        ref={input}
        aria-label={label}
        aria-invalid={problem !== null}
        title={problem ?? undefined}
        className="font-mono"
        value={text}
        disabled={disabled}
        onChange={({ target }) => {
          const next = target.value.trim();
          if (problemOf(next, taken) === null) {
            setTyped(null);
            onChange(next);
          } else setTyped({ text: target.value, over: value });
        }}
      />
      {problem === null ? null : (
        <span role="alert" className="mt-1 block text-xs text-danger">
          {problem}
        </span>
      )}
    </span>
  );
}

function problemOf(name: string, taken: readonly string[]): string | null {
  if (name === '') return 'A parameter needs a name.';
  if (taken.includes(name)) return `'${name}' is already a parameter.`;
  return NAME.test(name) ? null : 'Use letters, digits, - and _, and begin with a letter.';
}

interface NumberInputProps {
  label: string;
  value: number | undefined;
  whole?: boolean;
  disabled: boolean;
  onChange: (value: number | undefined) => void;
}

/** A number, or nothing. */
export function NumberInput({ label, value, whole = false, disabled, onChange }: NumberInputProps) {
  const [typed, setTyped] = useState<{ text: string; over: number | undefined } | null>(null);
  const text = typed && typed.over === value ? typed.text : (value ?? '');
  return (
    <label className="grid gap-1 text-xs text-soft">
      {label}
      <TextInput
        inputMode={whole ? 'numeric' : 'decimal'}
        className="tabular"
        value={text}
        disabled={disabled}
        aria-invalid={typed !== null && typed.over === value && typed.text.trim() !== String(value ?? '')}
        onChange={({ target }) => {
          const next = readNumber(target.value, whole);
          const accepted = next === null ? value : next;
          // "1." is on its way to a number: the text stays as it was typed.
          setTyped({ text: target.value, over: accepted });
          if (next !== null) onChange(next);
        }}
      />
    </label>
  );
}

/** Undefined for an empty text, null for one that is no number. */
function readNumber(text: string, whole: boolean): number | undefined | null {
  if (text.trim() === '') return undefined;
  const value = Number(text);
  return Number.isFinite(value) && (!whole || Number.isInteger(value)) ? value : null;
}
