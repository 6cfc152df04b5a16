import { AlertDialog } from '@base-ui/react/alert-dialog';
import { Dialog } from '@base-ui/react/dialog';
import { Tooltip as BaseTooltip } from '@base-ui/react/tooltip';
import type { ReactElement, ReactNode } from 'react';
import { Button, buttonClass } from './button.tsx';

const veil =
  'fixed inset-0 z-40 bg-ink/25 transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0 dark:bg-paper/70';
const raised = 'border border-line bg-sheet shadow-float outline-none';

interface TooltipProps {
  text: ReactNode;
  children: ReactElement;
}

export function Tooltip({ text, children }: TooltipProps) {
  return (
    <BaseTooltip.Root>
      <BaseTooltip.Trigger render={children} />
      <BaseTooltip.Portal>
        <BaseTooltip.Positioner sideOffset={6} className="z-50">
          <BaseTooltip.Popup className="max-w-72 rounded-md bg-ink px-2 py-1 text-xs text-paper shadow-float">
            {text}
          </BaseTooltip.Popup>
        </BaseTooltip.Positioner>
      </BaseTooltip.Portal>
    </BaseTooltip.Root>
  );
}

interface SheetProps {
  open: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
  footer?: ReactNode;
  /** From the right, or in the middle of the page. */
  place?: 'side' | 'middle';
  wide?: boolean;
}

/** A sheet over the page. Esc closes it. */
export function Sheet({ open, onClose, title, children, footer, place = 'side', wide = false }: SheetProps) {
  const position =
    place === 'side'
      ? `inset-y-0 right-0 h-dvh w-full ${wide ? 'max-w-5xl' : 'max-w-xl'} border-l data-ending-style:translate-x-6 data-starting-style:translate-x-6`
      : `top-[10dvh] left-1/2 max-h-[80dvh] w-[calc(100%-2rem)] -translate-x-1/2 rounded-lg ${wide ? 'max-w-5xl' : 'max-w-xl'}`;
  return (
    <Dialog.Root
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className={veil} />
        <Dialog.Popup
          className={`fixed z-40 flex flex-col transition data-ending-style:opacity-0 data-starting-style:opacity-0 ${raised} ${position}`}
        >
          <div className="flex items-center justify-between gap-4 border-b border-line px-5 py-3">
            <Dialog.Title className="font-serif text-lg">{title}</Dialog.Title>
            <Dialog.Close className={buttonClass('quiet', true)}>Close</Dialog.Close>
          </div>
          <div className="min-h-0 flex-1 overflow-y-auto px-5 py-4">{children}</div>
          {footer === undefined ? null : (
            <div className="flex flex-wrap items-center justify-end gap-2 border-t border-line px-5 py-3">
              {footer}
            </div>
          )}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface ConfirmProps {
  open: boolean;
  title: string;
  /** What will happen. */
  children: ReactNode;
  /** A verb. */
  action: string;
  onConfirm: () => void;
  onClose: () => void;
}

/** Only for acts that cannot be undone, or that replace everything. */
export function Confirm({ open, title, children, action, onConfirm, onClose }: ConfirmProps) {
  return (
    <AlertDialog.Root
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
    >
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={veil} />
        <AlertDialog.Popup
          className={`fixed top-[20dvh] left-1/2 z-40 w-[calc(100%-2rem)] max-w-md -translate-x-1/2 rounded-lg p-5 transition data-ending-style:opacity-0 data-starting-style:opacity-0 ${raised}`}
        >
          <AlertDialog.Title className="font-serif text-lg">{title}</AlertDialog.Title>
          <AlertDialog.Description render={<div />} className="mt-2 text-sm text-soft">
            {children}
          </AlertDialog.Description>
          <div className="mt-5 flex justify-end gap-2">
            <Button onClick={onClose}>Cancel</Button>
            <Button
              look="danger"
              onClick={() => {
                onConfirm();
                onClose();
              }}
            >
              {action}
            </Button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
