/** `**word**` as the hub marks matches. Stars of code, such as `**` in a glob, do not touch a letter on both sides. */
const MARK = /\*\*(?=[\p{L}\p{N}])([^*\n]*[\p{L}\p{N}])\*\*/u;

/** A snippet with the words that matched marked. Everything else is shown as it is. */
export function MarkedText({ text }: { text: string }) {
  const parts = text.split(MARK);
  return parts.map((part, index) =>
    index % 2 === 1 ? (
      <mark key={index} className="rounded-[2px] bg-leaf-wash px-0.5 text-leaf-strong">
        {part}
      </mark>
    ) : (
      part
    ),
  );
}
