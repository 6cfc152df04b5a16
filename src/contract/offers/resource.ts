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
  /** Null if there is no resource with this URI. */
  read(uri: string, context: CallContext): Promise<ResourceContents[] | null>;
  /**
   * Calls back whenever the resource may have changed, until the returned function is called. Null if there is no
   * resource with this URI. Absent if events report all changes.
   */
  watch?(uri: string, context: CallContext, onUpdated: () => void): Promise<(() => void) | null>;
  /** Completions for a variable of a template; null if the template belongs to another provider. */
  complete(
    uriTemplate: string,
    variable: { name: string; value: string },
    given: Readonly<Record<string, string>>,
    context: CallContext,
  ): Promise<string[] | null>;
}
