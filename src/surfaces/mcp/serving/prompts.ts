import { answering, contextOf, page, type Served } from './served.ts';
import { noteClient, requestFromSdk } from './call-request.ts';
import { runSdkCall } from './tool-call.ts';

export function servePrompts(served: Served): void {
  const { server, hub } = served;

  server.setRequestHandler('prompts/list', ({ params }, ctx) =>
    answering(served, 'prompts/list', async () => {
      const { items, ...rest } = page(await hub.offers.prompts(contextOf(served, ctx)), params?.cursor);
      return { prompts: items, ...rest };
    }),
  );

  server.setRequestHandler('prompts/get', ({ params: { name, arguments: args = {} } }, ctx) =>
    answering(served, 'prompts/get', () => {
      noteClient(hub, served.context, requestFromSdk(served, ctx));
      return runSdkCall(served, ctx, (call) => hub.offers.getPrompt(name, args, call));
    }),
  );
}
