import { answering, contextOf, type Served } from './served.ts';

/** The protocol's limit for one response. */
const MAX_VALUES = 100;

export function serveCompletion(served: Served): void {
  const { server, hub } = served;
  server.setRequestHandler('completion/complete', ({ params }, ctx) =>
    answering(served, 'completion/complete', async () => {
      const { ref, argument, context: { arguments: given = {} } = {} } = params;
      const context = contextOf(served, ctx);
      const found =
        ref.type === 'ref/prompt'
          ? await hub.offers.completePrompt(ref.name, argument, context)
          : await hub.offers.completeResource(ref.uri, argument, given, context);
      const values = found.slice(0, MAX_VALUES);
      return { completion: { values, total: found.length, hasMore: found.length > values.length } };
    }),
  );
}
