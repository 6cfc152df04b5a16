import * as z from 'zod';
import { type CallContext } from '../../contract/call.ts';
import type { ResourceContents, ResourceProvider } from '../../contract/offers/resource.ts';
import { silentCall } from '../../contract/tool.ts';
import type { ServerResource } from './connection/link.ts';
import type { Reachable } from './upstream-prompts.ts';
import type { Upstream } from './upstream.ts';
import type { Upstreams } from './upstreams.ts';

// Contents pass through unchanged: the SDK has validated them.
const Read = z.looseObject({ contents: z.array(z.custom<ResourceContents>()) });

/** The resources of upstream servers, at their own URIs. If two servers have the same URI, the first one wins. */
export function createUpstreamResources(
  upstreams: Pick<Upstreams, 'request' | 'complete' | 'watch'>,
  reachable: (context: CallContext) => Promise<readonly Reachable[]>,
): ResourceProvider {
  async function ownerOf(uri: string, context: CallContext): Promise<Upstream | null> {
    const servers = await reachable(context);
    const listed = servers.find(({ known }) => known.lists.resources.some((each) => each.uri === uri));
    if (listed) return listed.upstream;
    const templated = servers.filter(({ known }) => known.lists.templates.length > 0);
    if (templated.length === 0) return null;
    // Imported on demand: loading the pattern engine would slow down every start.
    const { matchesTemplate } = await import('./match-template.ts');
    const owner = templated.find(({ known }) =>
      known.lists.templates.some(({ uriTemplate }) => matchesTemplate(uriTemplate, uri)),
    );
    return owner?.upstream ?? null;
  }

  return {
    async list(context) {
      const seen = new Set<string>();
      const all = (await reachable(context)).flatMap(({ known }) => known.lists.resources);
      return all
        .filter(({ uri }) => !seen.has(uri) && seen.add(uri))
        .map((each) => ({ uri: each.uri, ...words(each) }));
    },

    async templates(context) {
      const all = (await reachable(context)).flatMap(({ known }) => known.lists.templates);
      return all.map((each) => ({ uriTemplate: each.uriTemplate, ...words(each) }));
    },

    async read(uri, context) {
      const upstream = await ownerOf(uri, context);
      if (!upstream) return null;
      const request = { method: 'resources/read', uri } as const;
      return Read.parse(await upstreams.request(upstream, request, silentCall(context))).contents;
    },

    async watch(uri, context, onUpdated) {
      const upstream = await ownerOf(uri, context);
      if (!upstream) return null;
      return upstreams.watch(upstream, uri, context, () => {
        // The caller's scope may have changed.
        const still = ownerOf(uri, context).catch(() => null);
        void still.then((owner) => owner && onUpdated());
      });
    },

    async complete(uriTemplate, variable, given, context) {
      const owner = (await reachable(context)).find(({ known }) =>
        known.lists.templates.some((each) => each.uriTemplate === uriTemplate),
      );
      if (!owner) return null;
      const ref = { type: 'ref/resource', uri: uriTemplate } as const;
      return upstreams.complete(owner.upstream, { ref, argument: variable, given }, context);
    },
  };
}

function words({ name, title, description, mimeType }: Omit<ServerResource, 'uri'>) {
  return {
    name,
    title: title ?? name,
    description: description ?? '',
    ...(mimeType !== undefined && { mimeType }),
  };
}
