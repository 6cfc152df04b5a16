import type { GroupName, Implementation, Implements } from '../contract/api.ts';
import type { CallContext } from '../contract/call.ts';
import type { Diagnostic } from '../contract/diagnostic.ts';
import type { PromptProvider } from '../contract/offers/prompt.ts';
import type { ResourceProvider } from '../contract/offers/resource.ts';
import type { Tool, ToolProvider } from '../contract/tool.ts';
import { withRequestHash } from './base/hash-requests.ts';
import type { View } from './workspaces/view.ts';

/** Prompts and resources for MCP clients. Providers are asked in the order of the wings. */
export interface Offer {
  prompts?: PromptProvider | undefined;
  resources?: ResourceProvider | undefined;
}

/** Work that continues without a connection: how much is open, and when the last ended (`performance.now`). */
export interface Use {
  open: number;
  lastAt: number;
}

/** The tools that callers of an agent get instead of its scope; null if they get its scope. */
export type ToolFront = (agentId: string, view: View) => Promise<readonly Tool[] | null>;

/** What the hub adds for one room. `G` are the groups of operations that it implements. */
export interface Wing<G extends GroupName = never> {
  operations: Implements<G>;
  toolProviders?: readonly ToolProvider<View>[];
  toolFront?: ToolFront;
  /** All tools of a team member, instead of its agent's scope. */
  memberTools?(context: CallContext): Promise<readonly Tool[]>;
  /** Tools that are listed wherever published tools are, and are in no scope. */
  besidePublished?: readonly Tool[];
  offers?: readonly Offer[];
  /** Problems with files that callers of a view see, beyond those of its tool providers. */
  diagnostics?(view: View): readonly Diagnostic[] | Promise<readonly Diagnostic[]>;
  /** A client that called with this `CallContext.client` has disconnected. */
  clientGone?(client: string): void;
  /** Keeps a hub that ends when idle alive while it reports open work. */
  use?(): Use;
  /** The hub is about to close its connections: clients that disconnect from now on have not cancelled anything. */
  drain?(): void;
  close?(): Promise<void> | void;
}

/** A wing of any groups. */
export type AnyWing = Omit<Wing, 'operations'> & { operations: Partial<Implementation> };

/** The operations of all wings as one table. A wing that is missing is a compile error where the result is used. */
export function joinOperations<W extends readonly AnyWing[]>(wings: W): Joined<W[number]['operations']>;
// An overload, because TypeScript cannot spread a union of objects.
export function joinOperations(wings: readonly AnyWing[]): Partial<Implementation> {
  return Object.fromEntries(
    wings
      .flatMap(({ operations }) => Object.entries<Implement>(operations))
      .map(([name, implement]) => [
        name,
        (input: never, context: CallContext) => implement(input, withRequestHash(context, name, input)),
      ]),
  );
}

type Implement = (input: never, context: CallContext) => unknown;

type Joined<U> = (U extends unknown ? (each: U) => void : never) extends (all: infer All) => void
  ? All
  : never;

/** The open work of all wings. */
export function joinUse(wings: readonly Pick<AnyWing, 'use'>[]): Use {
  const uses = wings.flatMap((wing) => wing.use?.() ?? []);
  return {
    open: uses.reduce((sum, { open }) => sum + open, 0),
    lastAt: Math.max(0, ...uses.map(({ lastAt }) => lastAt)),
  };
}
