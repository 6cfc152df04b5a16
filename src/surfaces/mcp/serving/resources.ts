import { ResourceNotFoundError } from '@modelcontextprotocol/server';
import { ZooError } from '../../../contract/errors.ts';
import { answering, contextOf, page, type Served } from './served.ts';

const MAX_WATCHED = 1000;

export function serveResources(served: Served): void {
  const { server, hub, watched } = served;

  server.setRequestHandler('resources/list', ({ params }, ctx) =>
    answering(served, 'resources/list', async () => {
      const { items, ...rest } = page(await hub.offers.resources(contextOf(served, ctx)), params?.cursor);
      return { resources: items, ...rest };
    }),
  );

  server.setRequestHandler('resources/templates/list', (_request, ctx) =>
    answering(served, 'resources/templates/list', async () => ({
      resourceTemplates: await hub.offers.resourceTemplates(contextOf(served, ctx)),
    })),
  );

  server.setRequestHandler('resources/read', ({ params: { uri } }, ctx) =>
    answering(served, 'resources/read', async () => {
      const contents = await hub.offers.readResource(uri, contextOf(served, ctx));
      if (!contents) throw new ResourceNotFoundError(uri);
      return { contents };
    }),
  );

  if (served.era === 'modern') return;
  server.setRequestHandler('resources/subscribe', ({ params: { uri } }) =>
    answering(served, 'resources/subscribe', async () => {
      if (watched.size >= MAX_WATCHED && !watched.has(uri)) {
        throw new ZooError('too_large', `uri: no more than ${MAX_WATCHED} resources can be watched`);
      }
      if (!watched.has(uri)) served.watches?.add(uri, served.context);
      watched.add(uri);
      return {};
    }),
  );
  server.setRequestHandler('resources/unsubscribe', async ({ params: { uri } }) => {
    if (watched.delete(uri)) served.watches?.delete(uri);
    return {};
  });
}
