import type { CallContext } from '../call.ts';

export interface ResourceDescriptor {
  uri: string;
  name: string;
  title: string;
  description: string;
  mimeType?: string;
}

/** A resource for each value of the variables in an RFC 6570 template. */
export interface ResourceTemplate {
  uriTemplate: string;
  name: string;
  title: string;
  description: string;
  mimeType?: string;
}

export type ResourceContents = { uri: string; mimeType?: string } & ({ text: string } | { blob: string });

/** Where resources come from. */
export interface ResourceProvider {
  /** In a stable order. */
  list(context: CallContext): Promise<ResourceDescriptor[]>;
  templates(context: CallContext): Promise<ResourceTemplate[]>;
  /** Null when there is no resource of this address. */
  read(uri: string, context: CallContext): Promise<ResourceContents[] | null>;
  /**
   * Calls back whenever what is there may be another, until the answer is called. Null when there is no resource of
   * this address. Absent where events tell of all changes.
   */
  watch?(uri: string, context: CallContext, onUpdated: () => void): Promise<(() => void) | null>;
  /** Values of a template's variable, for what has been typed so far; null when the template is not one of these. */
  complete(
    uriTemplate: string,
    variable: { name: string; value: string },
    given: Readonly<Record<string, string>>,
    context: CallContext,
  ): Promise<string[] | null>;
}
