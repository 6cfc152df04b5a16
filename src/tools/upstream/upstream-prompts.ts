import * as z from 'zod';
import type { CallContext } from '../../contract/call.ts';
import type { PromptDescriptor, PromptProvider, PromptResult } from '../../contract/offers/prompt.ts';
import { toolNames } from '../catalogue/tool-names.ts';
import type { ServerPrompt } from './connection/link.ts';
import type { Known } from './pool/list-store.ts';
import type { Upstream } from './upstream.ts';
import type { Upstreams } from './upstreams.ts';

/** A server that a caller can see, with its lists. */
export interface Reachable {
  upstream: Upstream;
  known: Known;
}

// Results pass through unchanged: the SDK has validated them.
const Passed = z.custom<PromptResult>((value) => typeof value === 'object' && value !== null);

/** The prompts of upstream servers, named like their tools. */
export function createUpstreamPrompts(
  upstreams: Pick<Upstreams, 'request' | 'complete'>,
  reachable: (context: CallContext) => Promise<readonly Reachable[]>,
): PromptProvider {
  async function find(name: string, context: CallContext) {
    for (const { upstream, known } of await reachable(context)) {
      const prompt = known.lists.prompts.find((each) => toolNames(upstream.name, each.name).name === name);
      if (prompt) return { upstream, prompt };
    }
    return null;
  }

  return {
    async list(context) {
      const servers = await reachable(context);
      return servers
        .flatMap(({ upstream, known }) => known.lists.prompts.map((each) => toPrompt(upstream.name, each)))
        .toSorted((a, b) => (a.name < b.name ? -1 : 1));
    },

    async get(name, args, call) {
      const found = await find(name, call.context);
      if (!found) return null;
      const request = { method: 'prompts/get', name: found.prompt.name, args } as const;
      return Passed.parse(await upstreams.request(found.upstream, request, call));
    },

    async complete(name, argument, context) {
      const found = await find(name, context);
      if (!found) return null;
      const ref = { type: 'ref/prompt', name: found.prompt.name } as const;
      return upstreams.complete(found.upstream, { ref, argument }, context);
    },
  };
}

function toPrompt(server: string, prompt: ServerPrompt): PromptDescriptor {
  return {
    name: toolNames(server, prompt.name).name,
    title: prompt.title ?? prompt.name,
    description: prompt.description ?? '',
    arguments: (prompt.arguments ?? []).map(({ name, description = '', required = false }) => ({
      name,
      description,
      required,
    })),
  };
}
