import { Link, type ErrorComponentProps } from '@tanstack/react-router';
import { Button, buttonClass } from '../kit/button.tsx';
import { Empty, ErrorNote } from '../kit/feedback.tsx';

export function MissingPage() {
  return (
    <div className="px-5 md:px-8">
      <Empty
        title="No page at this address"
        action={
          <Link to="/" className={buttonClass('primary')}>
            Go to the zoo
          </Link>
        }
      >
        The link may be old, or the agent may have been deleted.
      </Empty>
    </div>
  );
}

/** For faults of the page itself: drafts are in storage, so a reload loses nothing. */
export function ErrorPage({ error }: ErrorComponentProps) {
  return (
    <div className="mx-auto max-w-2xl px-5 py-12">
      <h1 className="mb-4 font-serif text-xl">This page failed</h1>
      <ErrorNote error={error instanceof Error ? error : new Error(String(error))}>
        <Button onClick={() => location.reload()}>Reload</Button>
      </ErrorNote>
      <p className="mt-3 text-sm text-soft">Drafts are kept in this browser; reloading does not lose them.</p>
    </div>
  );
}
