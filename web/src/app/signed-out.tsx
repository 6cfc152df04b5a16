import { Creature } from '../creature/creature.tsx';
import { Copyable } from '../kit/copyable.tsx';

/** The page itself holds no data: without a token there is only this to see. */
export function SignedOut({ reason }: { reason: string | null }) {
  return (
    <main className="mx-auto grid min-h-dvh max-w-md content-center gap-4 px-5 py-12">
      <Creature seed="gatekeeper-3" size={120} name="The gatekeeper" />
      <h1 className="font-serif text-2xl">Agent Zoo</h1>
      {reason === null ? null : <p className="text-base text-amber">{reason}</p>}
      <p className="text-base text-soft">
        To sign in, run this in a terminal on the machine that runs the hub:
      </p>
      <Copyable text="zoo open" />
      <p className="text-sm text-soft">It opens this page with a link that works once.</p>
    </main>
  );
}
