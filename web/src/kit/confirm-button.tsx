import { type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import { Confirm } from './floating.tsx';

interface ConfirmButtonProps {
  label: string;
  icon: ReactNode;
  look?: 'danger' | 'quiet';
  small?: boolean;
  disabled?: boolean;
  title: string;
  /** The verb on the button that does it. */
  action: string;
  onConfirm: () => void;
  /** What is lost. */
  children: ReactNode;
}

/** For what cannot be undone: it asks before it is done. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const { label, icon, look = 'danger', small = false, disabled = false, children, ...question } = props;
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button look={look} icon={icon} small={small} disabled={disabled} onClick={() => setAsking(true)}>
        {label}
      </Button>
      <Confirm open={isAsking} onClose={() => setAsking(false)} {...question}>
        {children}
      </Confirm>
    </>
  );
}
