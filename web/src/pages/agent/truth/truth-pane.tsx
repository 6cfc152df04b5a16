import { Link } from '@tanstack/react-router';
import { Eye } from 'lucide-react';
import { memo, useState } from 'react';
import { ZooError } from '../../../../../src/contract/errors.ts';
import type { PromptPreview } from '../../../../../src/contract/resolved.ts';
import { useShortcut } from '../../../app/shortcuts.ts';
import { Button, buttonClass } from '../../../kit/button.tsx';
import { ErrorNote, Skeleton, WarningNote } from '../../../kit/feedback.tsx';
import { CopyButton } from '../../../kit/copyable.tsx';
import { Sheet } from '../../../kit/floating.tsx';
import { formatCount, formatNumber } from '../../../kit/numbers.ts';
import { removedParts, splitPrompt, type Stretch } from './split-prompt.ts';
import { usePreview } from './use-preview.ts';

/** What the model gets: the compiled prompt of the draft, always in sight on wide screens, one key away on others. */
export function TruthPane() {
  const [isOpen, setOpen] = useState(false);
  useShortcut('mod+e', () => setOpen((is) => !is), 'Show what the model gets');
  return (
    <>
      <aside
        aria-label="What the model gets"
        className="hidden w-[30rem] shrink-0 flex-col overflow-y-auto border-l border-line bg-sheet xl:flex 2xl:w-[38rem] min-[160rem]:w-[52rem]"
      >
        <Truth />
      </aside>
      <div className="fixed right-4 bottom-4 z-10 xl:hidden">
        <Button icon={<Eye />} className="shadow-float" onClick={() => setOpen(true)}>
          What the model gets
        </Button>
      </div>
      <Sheet open={isOpen} onClose={() => setOpen(false)} title="What the model gets">
        <div className="-mx-5 -my-4">
          <Truth />
        </div>
      </Sheet>
    </>
  );
}

function Truth() {
  const { now, saved, error } = usePreview();
  if (!now)
    return <div className="p-5">{error ? <PreviewError error={error} /> : <Skeleton lines={8} />}</div>;
  const gone = removedParts(now, saved);
  return (
    <>
      <Price now={now} saved={saved} />
      {error ? (
        <div className="px-4 pt-3">
          <PreviewError error={error} />
        </div>
      ) : null}
      {now.resolved.receipt.warnings.length > 0 ? (
        <div className="grid gap-2 px-4 pt-3">
          {now.resolved.receipt.warnings.map((warning) => (
            <WarningNote key={warning}>{warning}</WarningNote>
          ))}
        </div>
      ) : null}
      <div className="py-3" data-testid="compiled-prompt">
        {splitPrompt(now, saved).map((stretch) => (
          <StretchView key={stretch.key} stretch={stretch} />
        ))}
      </div>
      {gone.length > 0 ? (
        <p className="border-t border-line px-4 py-3 text-xs text-soft">
          No longer in the prompt:{' '}
          {gone.map(({ title, tokens }) => `${title} (−${formatNumber(tokens)})`).join(', ')}
        </p>
      ) : null}
    </>
  );
}

function PreviewError({ error }: { error: Error }) {
  const isUntrusted = error instanceof ZooError && error.code === 'untrusted';
  if (!isUntrusted) return <ErrorNote error={error} />;
  return (
    <ErrorNote error={error}>
      <Link to="/settings" hash="trust" className={buttonClass('plain', true)}>
        Review and approve
      </Link>
    </ErrorNote>
  );
}

function Price({ now, saved }: { now: PromptPreview; saved: PromptPreview | null }) {
  const { totalTokens, toolTokens = 0 } = now.resolved.receipt;
  const delta = totalTokens - (saved?.resolved.receipt.totalTokens ?? totalTokens);
  return (
    <div className="sticky top-0 z-10 border-b border-line bg-sheet px-4 py-3">
      <div className="flex items-center justify-between gap-3">
        <h2 className="text-xs text-soft max-xl:sr-only">What the model gets</h2>
        <CopyButton text={now.prompt} what="the compiled prompt" />
      </div>
      <p className="mt-0.5 text-sm tabular">
        <span className="font-medium">{formatCount(totalTokens, 'token')}</span> of prompt
        {delta === 0 ? (
          ''
        ) : (
          <span className="text-leaf">
            {' '}
            ({delta > 0 ? '+' : '−'}
            {formatNumber(Math.abs(delta))} unsaved)
          </span>
        )}
        {', '}
        {formatNumber(toolTokens)} for {formatCount(now.resolved.tools.length, 'tool')}
      </p>
    </div>
  );
}

const kindWords = {
  persona: 'persona',
  skill: 'skill',
  context: 'document',
  memory: 'memory',
  message: 'message',
};

function StretchView({ stretch: { text, part, change, delta, lines } }: { stretch: Stretch }) {
  if (!part) {
    // Each stretch is a block of its own: its start stands for one line break, and a last one is not rendered.
    const shown = text.replace(/^\n/, '');
    return (
      <pre className="min-h-5 pr-4 pl-20 font-mono text-xs leading-5 whitespace-pre-wrap text-faint">
        {shown}
      </pre>
    );
  }
  return (
    <div className="grid grid-cols-[4.25rem_1fr] gap-x-3 pr-4">
      <div
        className={`border-r-2 py-0.5 pr-2 text-right text-xs tabular ${change === 'same' ? 'border-line text-faint' : 'border-leaf text-leaf'}`}
        title={`${part.title}: ${formatCount(part.tokens, 'token')}`}
      >
        <div>{formatNumber(part.tokens)}</div>
        <div className="text-[0.6875rem] leading-4">{kindWords[part.kind]}</div>
        {change === 'same' || delta === 0 ? null : (
          <div className="text-[0.6875rem] leading-4">
            {delta > 0 ? '+' : '−'}
            {formatNumber(Math.abs(delta))}
          </div>
        )}
      </div>
      <pre className="min-w-0 font-mono text-xs leading-5 break-words whitespace-pre-wrap">
        {lines.map(({ text: line, isNew }, index) => (
          <PromptLine key={index} text={index < lines.length - 1 ? `${line}\n` : line} isNew={isNew} />
        ))}
      </pre>
    </div>
  );
}

/** A block of its own: the browser lays out and paints only the lines that changed. */
const PromptLine = memo(function PromptLine({ text, isNew }: { text: string; isNew: boolean }) {
  return <span className="block min-h-5">{isNew ? <span className="bg-leaf-wash">{text}</span> : text}</span>;
});
