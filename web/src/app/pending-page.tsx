import { Skeleton } from '../kit/feedback.tsx';

/** In place of a page whose script is still loading. */
export const PendingPage = () => (
  <div className="max-w-3xl px-5 py-8 md:px-8">
    <Skeleton lines={6} />
  </div>
);
