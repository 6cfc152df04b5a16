import { lazy, Suspense } from 'react';
import type { MathToken } from './read-blocks.ts';

/** Loaded with the first formula. */
const Maths = lazy(async () => ({ default: (await import('./maths.tsx')).Maths }));

export function Formula({ token: { tex, display } }: { token: MathToken }) {
  return (
    <Suspense fallback={<code className="font-mono text-sm">{tex}</code>}>
      <Maths tex={tex} display={display} />
    </Suspense>
  );
}
