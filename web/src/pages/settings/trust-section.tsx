import { ShieldCheck, ShieldQuestion } from 'lucide-react';
import { Suspense } from 'react';
import type { Runnable, TrustReport, TrustState } from '../../../../src/contract/workspace.ts';
import { useHubMutation, useHubQuery } from '../../data/queries.ts';
import { Button } from '../../kit/button.tsx';
import { ErrorNote, Skeleton } from '../../kit/feedback.tsx';
import { lazyPart } from '../../kit/load-script.ts';
import { Section } from './section.tsx';

const TextDiff = lazyPart(async () => ({
  default: (await import('../../kit/editor/text-diff.tsx')).TextDiff,
}));

const words: Record<TrustState, string> = {
  own: 'These are your own files: nothing needs your approval.',
  trusted: 'You approved the current version.',
  changed: 'It has changed since you approved it. Nothing new runs until you approve it again.',
  untrusted: 'Nothing of this runs until you approve it.',
  'nothing-to-trust': 'Nothing in this workspace runs code or connects anywhere.',
};

const kinds: Record<Runnable['kind'], string> = {
  'script-agent': 'Script agent',
  'module-agent': 'TypeScript agent',
  'script-tool': 'Script tool',
  upstream: 'MCP server',
  connector: 'Source',
  server: 'Server',
  'outside-folder': 'Folder outside',
  variables: 'Variables',
  'agent-tools': 'Tools of an agent',
  provider: 'Model provider',
  harness: 'Program of a team',
};

/** What the workspace would run or connect to, and the approval. */
export function TrustSection() {
  const { data, error } = useHubQuery('getTrust', {});
  return (
    <Section
      id="trust"
      title="Approval"
      about="A cloned repository can name programs, servers and scripts. The hub runs none of them before you have seen them here."
    >
      {error ? <ErrorNote error={error} /> : null}
      {data === undefined && !error ? <Skeleton /> : null}
      {data === undefined ? null : <TrustReview report={data} />}
    </Section>
  );
}

/** The report, with the buttons that decide. */
export function TrustReview({ report }: { report: TrustReport }) {
  const { state, runnables, changes = [], path } = report;
  const waits = state === 'untrusted' || state === 'changed';
  return (
    <>
      <p className="flex items-start gap-2 text-sm">
        {waits ? (
          <ShieldQuestion className="mt-0.5 size-4 shrink-0 text-amber" />
        ) : (
          <ShieldCheck className="mt-0.5 size-4 shrink-0 text-leaf" />
        )}
        <span>
          {words[state]} <span className="block font-mono text-xs break-all text-faint">{path}</span>
        </span>
      </p>
      {runnables.length === 0 ? null : <Runnables runnables={runnables} />}
      {changes.length === 0 ? null : <Changes changes={changes} />}
      <Decision report={report} waits={waits} />
    </>
  );
}

function Runnables({ runnables }: { runnables: readonly Runnable[] }) {
  return (
    <ul className="border-t border-line" aria-label="What it would run">
      {runnables.map(({ kind, name, detail, grants }) => (
        <li
          key={`${kind} ${name}`}
          className="grid gap-x-4 border-b border-line py-2 text-sm sm:grid-cols-[11rem_minmax(0,1fr)]"
        >
          <span>
            {name} <span className="block text-xs text-faint">{kinds[kind]}</span>
          </span>
          <span className="min-w-0">
            <code className="block font-mono text-xs break-all whitespace-pre-wrap">{detail}</code>
            {grants.length === 0 ? null : (
              <span className="block font-mono text-xs break-all text-soft">{grants.join('\n')}</span>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}

function Changes({ changes }: { changes: NonNullable<TrustReport['changes']> }) {
  return (
    <div className="grid gap-1.5">
      <h3 className="text-sm font-medium">Changed since you approved it</h3>
      <ul className="grid gap-2 font-mono text-xs">
        {changes.map(({ path, before, after }) => (
          <li key={path} className="grid gap-1">
            <span className="text-soft">{path}</span>
            <Change path={path} before={show(before)} after={show(after)} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Change({ path, before, after }: { path: string; before: string; after: string }) {
  if (`${before}${after}`.includes('\n')) {
    return (
      <Suspense fallback={null}>
        <TextDiff before={before} after={after} label={`Changes of ${path}`} />
      </Suspense>
    );
  }
  return (
    <>
      {before === '' ? null : <del className="block break-all text-danger no-underline">− {before}</del>}
      {after === '' ? null : <ins className="block break-all text-leaf-strong no-underline">+ {after}</ins>}
    </>
  );
}

function show(value: unknown): string {
  if (value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function Decision({ report: { state, hash }, waits }: { report: TrustReport; waits: boolean }) {
  const approve = useHubMutation('approveTrust');
  const revoke = useHubMutation('revokeTrust');
  const error = approve.error ?? revoke.error;
  return (
    <div className="flex flex-wrap items-center gap-2">
      {waits ? (
        <Button
          look="primary"
          disabled={approve.isPending}
          onClick={() => approve.mutate({ body: { hash } })}
        >
          Approve all of it
        </Button>
      ) : null}
      {state === 'trusted' || state === 'changed' ? (
        <Button look="danger" disabled={revoke.isPending} onClick={() => revoke.mutate({})}>
          Revoke approval
        </Button>
      ) : null}
      {error ? <ErrorNote error={error} /> : null}
    </div>
  );
}
