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
      <ErrorNote error={inWords(error)}>
        <Button onClick={() => location.reload()}>Reload</Button>
      </ErrorNote>
      <p className="mt-3 text-sm text-soft">Drafts are kept in this browser; reloading does not lose them.</p>
    </div>
  );
}

/** A script that is gone, as every browser calls it: most often, the hub was updated while this window was open. */
const MISSING_SCRIPT = /dynamically imported module|Importing a module script failed/;

function inWords(error: unknown): Error {
  const { message } = error instanceof Error ? error : new Error(String(error));
  return MISSING_SCRIPT.test(message)
    ? new Error(
        'A part of the page could not be loaded: the hub was updated or is not running. Reload the page.',
      )
    : new Error(message);
}
