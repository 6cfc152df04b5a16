import { Suspense, useState } from 'react';
import { DropHint } from '../../zoo/import/drop-hint.tsx';
import type { ReadFiles } from '../../zoo/import/read-dropped.ts';
import { useFileDrop } from '../../zoo/import/use-file-drop.ts';
import { lazyPart } from '../../../kit/load-script.ts';

const ImportSheet = lazyPart(async () => ({
  default: (await import('../../zoo/import/import-sheet.tsx')).ImportSheet,
}));

/** Takes `SKILL.md` files that are dropped on the board. */
export function DroppedSkills({ agentId }: { agentId: string }) {
  const [dropped, setDropped] = useState<ReadFiles | null>(null);
  const isOver = useFileDrop(setDropped);
  return (
    <>
      <Suspense>
        {dropped ? <ImportSheet dropped={dropped} into={agentId} onClose={() => setDropped(null)} /> : null}
      </Suspense>
      {isOver ? <DropHint /> : null}
    </>
  );
}
