import { SlidersHorizontal } from 'lucide-react';
import { IconButton } from '../../../../kit/button.tsx';

interface ToggleProps {
  /** What the details belong to. */
  name: string;
  isOpen: boolean;
  onChange: (isOpen: boolean) => void;
}

export function DetailsToggle({ name, isOpen, onChange }: ToggleProps) {
  return (
    <IconButton
      label={`Limits, default and examples of ${name}`}
      aria-expanded={isOpen}
      className={isOpen ? 'bg-wash !text-ink' : ''}
      onClick={() => onChange(!isOpen)}
    >
      <SlidersHorizontal />
    </IconButton>
  );
}
