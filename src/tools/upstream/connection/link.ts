import type { ClientQuestion } from '../../../contract/tool.ts';

export interface ServerLists {
  tools: readonly ServerTool[];
  prompts: readonly ServerPrompt[];
  resources: readonly ServerResource[];
  templates: readonly ServerTemplate[];
}

type Meta = Record<string, unknown>;

export interface ServerTool {
  name: string;
  title?: string | undefined;
  description?: string | undefined;
  inputSchema: Meta;
  outputSchema?: Meta | undefined;
  annotations?:
    | {
        title?: string | undefined;
        readOnlyHint?: boolean | undefined;
        destructiveHint?: boolean | undefined;
        idempotentHint?: boolean | undefined;
        openWorldHint?: boolean | undefined;
      }
    | undefined;
  _meta?: Meta | undefined;
}

export interface ServerPrompt {
  name: string;
  title?: string | undefined;
  description?: string | undefined;
  arguments?:
    { name: string; description?: string | undefined; required?: boolean | undefined }[] | undefined;
}

export interface ServerResource {
  uri: string;
  name: string;
  title?: string | undefined;
  description?: string | undefined;
  mimeType?: string | undefined;
}

export interface ServerTemplate {
  uriTemplate: string;
  name: string;
  title?: string | undefined;
  description?: string | undefined;
  mimeType?: string | undefined;
}

export type Era = 'legacy' | 'modern';

/** Requests during which a server may ask questions. */
export type Request =
  | {
      method: 'tools/call';
      name: string;
      args: Record<string, unknown>;
      inputSchema: Record<string, unknown>;
    }
  | { method: 'prompts/get'; name: string; args: Readonly<Record<string, string>> }
  | { method: 'resources/read'; uri: string };

/** Callbacks during a request, before its result. */
export interface Listener {
  /** The request is sent now; its timeout starts here. */
  begun(): void;
  ask(questions: Readonly<Record<string, ClientQuestion>>): Promise<Record<string, Record<string, unknown>>>;
  progress(done: number, total?: number, message?: string): void;
  log(level: 'debug' | 'info' | 'warn' | 'error', message: string): void;
  signal: AbortSignal;
}

export interface Completion {
  ref: { type: 'ref/prompt'; name: string } | { type: 'ref/resource'; uri: string };
  argument: { name: string; value: string };
  given?: Readonly<Record<string, string>>;
}

/** A connection to a server after the handshake. */
export interface Link {
  era: Era;
  /** The server's own name. */
  title: string | null;
  pid: number | null;
  /** The last lines that its process printed; empty for a URL. */
  said(): string;
  lists(signal: AbortSignal): Promise<ServerLists>;
  request(request: Request, listener: Listener): Promise<Record<string, unknown>>;
  complete(completion: Completion, signal: AbortSignal): Promise<string[]>;
  /** Subscribes to exactly these resources. Never throws. */
  watch(uris: readonly string[]): Promise<void>;
  /** Resolves when the connection ends. */
  closed: Promise<LinkEnd>;
  close(): Promise<void>;
}

export interface LinkEnd {
  /** The reason, as a sentence; null if it was closed on purpose. */
  why: string | null;
}

export interface LinkEvents {
  onListsChanged(): void;
  /** This resource may have changed. */
  onResourceUpdated(uri: string): void;
}
