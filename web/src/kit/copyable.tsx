import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';

interface CopyButtonProps {
  text: string;
  /** What is copied, for screen readers. */
  what?: string;
}

export function CopyButton({ text, what }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), 1600);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <button
      type="button"
      aria-label={what === undefined ? undefined : `Copy ${what}`}
      onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}
      className="inline-flex h-6 items-center gap-1 rounded-sm px-1.5 text-xs text-soft hover:bg-press hover:text-ink"
    >
      {copied ? <Check className="size-3.5 text-leaf" /> : <Copy className="size-3.5" />}
      {copied ? 'Copied' : 'Copy'}
    </button>
  );
}

/** A command or an address, with a button that copies it. */
export function Copyable({ text, className = '' }: { text: string; className?: string }) {
  return (
    <div className={`flex items-start gap-1 rounded-md border border-line bg-wash ${className}`}>
      <pre className="min-w-0 flex-1 overflow-x-auto px-3 py-2 font-mono text-xs wrap-anywhere whitespace-pre-wrap text-ink">
        {text}
      </pre>
      <span className="m-1">
        <CopyButton text={text} />
      </span>
    </div>
  );
}
