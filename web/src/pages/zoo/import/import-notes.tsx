import type { Diagnostic } from '../../../../../src/contract/diagnostic.ts';
import { HubText } from '../../../kit/hub-text/hub-text.tsx';

export function Notes({ notes, quiet = false }: { notes: readonly Diagnostic[]; quiet?: boolean }) {
  if (notes.length === 0) return null;
  return (
    <ul className="grid gap-1 text-xs">
      {notes.map(({ message, line, hint, severity }, index) => (
        <li key={index} className={severity === 'error' && !quiet ? 'text-danger' : 'text-soft'}>
          {line === null ? '' : `Line ${line}: `}
          <HubText>{hint === null ? message : `${message}. ${hint}`}</HubText>
        </li>
      ))}
    </ul>
  );
}
