import { Suspense } from 'react';
import type { MathToken } from './read-blocks.ts';
import { lazyPart } from '../../kit/load-script.ts';

/** Loaded with the first formula. */
const Maths = lazyPart(async () => ({ default: (await import('./maths.tsx')).Maths }));

export function Formula({ token: { tex, display } }: { token: MathToken }) {
  return (
    <Suspense fallback={<code className="font-mono text-sm">{tex}</code>}>
      <Maths tex={tex} display={display} />
    </Suspense>
  );
}
