import type { Diagnostic } from '../../../../../src/contract/diagnostic.ts';
import { formatCount } from '../../../kit/numbers.ts';
import { Notes } from './import-notes.tsx';
import type { ReadFiles } from './read-dropped.ts';
import { HubText } from '../../../kit/hub-text/hub-text.tsx';

/** A folder of ten thousand files would fill the page. */
const SHOWN = 20;

interface LeftOutProps {
  diagnostics: readonly Diagnostic[];
  files: ReadFiles['leftOut'];
}

/** Files that are not imported, and why. */
export function LeftOut({ diagnostics, files }: LeftOutProps) {
  if (diagnostics.length + files.length === 0) return null;
  return (
    <section className="grid gap-2 border-t border-line pt-4">
      <h3 className="text-sm font-medium">Not imported</h3>
      <ul className="grid gap-2">
        {diagnostics.map((one, index) => (
          <li key={index}>
            <p className="font-mono text-xs break-all">{one.file}</p>
            <Notes notes={[one]} quiet />
          </li>
        ))}
        {files.slice(0, SHOWN).map(({ path, why }) => (
          <li key={path}>
            <p className="font-mono text-xs break-all">{path}</p>
            <p className="text-xs text-soft">
              <HubText>{why}</HubText>
            </p>
          </li>
        ))}
        {files.length > SHOWN ? (
          <li className="text-xs text-soft">and {formatCount(files.length - SHOWN, 'more file')}</li>
        ) : null}
      </ul>
    </section>
  );
}
