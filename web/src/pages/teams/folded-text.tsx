import { ScrollText } from '../../runs/scroll-text.tsx';

/** A long text behind its title. */
export function FoldedText({ title, text }: { title: string; text: string }) {
  return (
    <details>
      <summary className="cursor-pointer text-xs text-soft hover:text-ink">{title}</summary>
      <ScrollText
        text={text}
        className="mt-1 max-h-80 rounded-md border border-line bg-wash px-3 py-2 break-words whitespace-pre-wrap"
      />
    </details>
  );
}
