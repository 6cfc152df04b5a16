/** Over the page while files are held above it. */
export function DropHint() {
  return (
    <div className="pointer-events-none fixed inset-3 z-50 grid place-items-center rounded-lg border-2 border-dashed border-leaf bg-leaf-wash/85 font-serif text-xl">
      Drop to see what is in these files
    </div>
  );
}
