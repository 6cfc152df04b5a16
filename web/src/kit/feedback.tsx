import { CircleAlert, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Copyable } from './copyable.tsx';
import { HubText } from './hub-text/hub-text.tsx';

export type Tone = 'neutral' | 'leaf' | 'amber' | 'danger' | 'hue';

const tones: Record<Tone, string> = {
  neutral: 'border-line text-soft',
  leaf: 'border-leaf/30 bg-leaf-wash text-leaf-strong',
  amber: 'border-amber/30 bg-amber-wash text-amber',
  danger: 'border-danger/30 bg-danger-wash text-danger',
  hue: 'border-hue/30 bg-hue-wash text-hue',
};

/** A word about a thing: its source, its state. Never the only sign of it in colour. */
export function Badge({
  tone = 'neutral',
  icon,
  children,
}: {
  tone?: Tone;
  icon?: ReactNode;
  children: ReactNode;
}) {
  return (
    <span
      className={`inline-flex h-5 items-center gap-1 rounded-sm border px-1.5 font-sans text-xs whitespace-nowrap [&_svg]:size-3 ${tones[tone]}`}
    >
      {icon}
      {children}
    </span>
  );
}

/** What failed, why and what to do, beside the thing it is about. */
export function ErrorNote({ error, children }: { error: Error; children?: ReactNode }) {
  return (
    <div
      role="alert"
      className="flex gap-2.5 rounded-md border border-danger/30 bg-danger-wash px-3 py-2.5 text-sm"
    >
      <CircleAlert className="mt-0.5 size-4 shrink-0 text-danger" />
      <div className="min-w-0">
        <p className="break-words whitespace-pre-line">
          <HubText>{error.message}</HubText>
        </p>
        {children === undefined ? null : <div className="mt-2 flex flex-wrap gap-2">{children}</div>}
      </div>
    </div>
  );
}

/** Something to know before going on: waits, warnings. */
export function WarningNote({ children }: { children: ReactNode }) {
  return (
    <div className="flex gap-2.5 rounded-md border border-amber/30 bg-amber-wash px-3 py-2.5 text-sm">
      <TriangleAlert className="mt-0.5 size-4 shrink-0 text-amber" />
      <div className="min-w-0 break-words">
        {typeof children === 'string' ? <HubText>{children}</HubText> : children}
      </div>
    </div>
  );
}

interface EmptyProps {
  title: string;
  /** One line on what this is for. */
  children: ReactNode;
  picture?: ReactNode;
  action?: ReactNode;
  /** Does the same in a terminal. */
  command?: string;
}

/** A page without content teaches: what it is for, the button, the command. */
export function Empty({ title, children, picture, action, command }: EmptyProps) {
  return (
    <div className="mx-auto grid max-w-md grid-cols-1 justify-items-start gap-3 py-14">
      {picture}
      <h2 className="font-serif text-lg">{title}</h2>
      <div className="text-base text-soft">{children}</div>
      {action === undefined ? null : <div className="mt-1 flex flex-wrap gap-2">{action}</div>}
      {command === undefined ? null : (
        <div className="mt-2 grid w-full grid-cols-1 gap-1.5 text-xs text-soft">
          In a terminal:
          <Copyable text={command} />
        </div>
      )}
    </div>
  );
}

/** Lines that are on their way. */
export function Skeleton({ lines = 3 }: { lines?: number }) {
  return (
    <div role="status" className="grid gap-2.5" aria-label="Loading">
      {Array.from({ length: lines }, (_, index) => (
        <div
          key={index}
          className={`skeleton h-4 ${index % 3 === 2 ? 'w-1/2' : index % 3 === 1 ? 'w-4/5' : 'w-full'}`}
        />
      ))}
    </div>
  );
}
