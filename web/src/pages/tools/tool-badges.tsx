import { Eye, Pencil, RefreshCw, Trash2 } from 'lucide-react';
import type { ToolDescriptor } from '../../../../src/contract/tool.ts';
import { Badge } from '../../kit/feedback.tsx';

/** Side effects that a tool declares. Without a declaration, there is no badge. */
export function ToolBadges({
  tool,
}: {
  tool: Pick<ToolDescriptor, 'annotations' | 'undeclared' | 'changed'>;
}) {
  const { annotations, undeclared, changed } = tool;
  return (
    <>
      {undeclared === true ? null : annotations.readOnlyHint ? (
        <Badge icon={<Eye />}>read-only</Badge>
      ) : annotations.destructiveHint ? (
        <Badge tone="danger" icon={<Trash2 />}>
          destroys
        </Badge>
      ) : (
        <Badge tone="amber" icon={<Pencil />}>
          writes
        </Badge>
      )}
      {changed === true ? (
        <Badge tone="amber" icon={<RefreshCw />}>
          changed
        </Badge>
      ) : null}
    </>
  );
}
