import { Link } from '@tanstack/react-router';
import { CircleAlert, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Severity } from '../../../../src/contract/diagnostic.ts';
import { useHubQuery } from '../../data/queries.ts';
import { ErrorNote, Skeleton } from '../../kit/feedback.tsx';
import { Section } from './section.tsx';
import { HubText } from '../../kit/hub-text/hub-text.tsx';

const signs: Record<Severity, { icon: ReactNode; word: string }> = {
  error: { icon: <CircleAlert className="text-danger" />, word: 'Error' },
  warning: { icon: <TriangleAlert className="text-amber" />, word: 'Warning' },
  note: { icon: <Info className="text-soft" />, word: 'Note' },
};

const problemRow = 'flex gap-2.5 border-b border-line py-2.5 text-sm first:pt-0 last:border-0';

function Sign({ severity }: { severity: Severity }) {
  return (
    <span role="img" aria-label={signs[severity].word} className="mt-0.5 [&_svg]:size-4">
      {signs[severity].icon}
    </span>
  );
}

/** Errors in files, with the line and what is used instead, and servers that failed. */
export function ProblemsSection() {
  const { data, error } = useHubQuery('listDiagnostics', {});
  const servers = useHubQuery('listUpstreams', {}).data?.upstreams ?? [];
  const failed = servers.filter(({ state }) => state === 'failed');
  return (
    <Section
      id="problems"
      title="Problems"
      about="Errors in your files and servers, and what is used instead. They disappear once they are fixed."
    >
      {error ? <ErrorNote error={error} /> : null}
      {data === undefined && !error ? <Skeleton /> : null}
      {data?.diagnostics.length === 0 && failed.length === 0 ? (
        <p className="text-sm text-soft">No problems found.</p>
      ) : null}
      <ul>
        {data?.diagnostics.map(({ severity, message, file, line, hint }, index) => (
          <li key={index} className={problemRow}>
            <Sign severity={severity} />
            <span className="min-w-0">
              <span className="block break-words">
                <HubText>{message}</HubText>
              </span>
              {file === null ? null : (
                <span className="block font-mono text-xs break-all text-soft">
                  {file}
                  {line === null ? '' : `:${line}`}
                </span>
              )}
              {hint === null ? null : (
                <span className="block break-words text-soft">
                  <HubText>{hint}</HubText>
                </span>
              )}
            </span>
          </li>
        ))}
        {failed.map(({ name, error: reason }) => (
          <li key={name} className={problemRow}>
            <Sign severity="error" />
            <span className="min-w-0">
              <span className="block break-words">
                <HubText>{`${name} ${reason ?? ''}`}</HubText>
              </span>
              <Link to="/tools" search={{ server: name }} className="text-leaf hover:underline">
                Log and details
              </Link>
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
