/** Text that a model reads or wrote, as it is. It scrolls by itself, so it is reached by keyboard too. */
export function ScrollText({ text, className = '' }: { text: string; className?: string }) {
  const look = `overflow-auto font-mono text-xs leading-5 -outline-offset-2 ${className}`;
  return (
    // oxlint-disable-next-line no-noninteractive-tabindex -- regions that scroll need a tab stop
    <pre tabIndex={0} className={look}>
      {text}
    </pre>
  );
}
