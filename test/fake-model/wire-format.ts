/** What a model was asked, in words that are the same for every vendor. */
export interface ModelRequest {
  /** The name of the wire format it came in. */
  format: string;
  model: string;
  system: string;
  messages: Message[];
  tools: OfferedTool[];
  stream: boolean;
  /** As it was sent, for what only one vendor has. */
  body: unknown;
}

export type Message =
  | { role: 'user' | 'assistant'; text: string }
  /** What came back from a call; `tool` is the name the client gave the tool. */
  | { role: 'tool'; tool: string; text: string };

export interface OfferedTool {
  name: string;
  description: string;
  schema: unknown;
  /** Where a client puts a server's tools under a name of their own, which a call has to repeat. */
  namespace?: string;
}

/** What the model answers: text, then calls; either may be empty. */
export interface ModelReply {
  text: string;
  /** Shown before the text by vendors that show it. */
  thought?: string;
  calls: { id: string; tool: OfferedTool; arguments: Record<string, unknown> }[];
  /** Whether it declines to answer, in the vendor's own way. */
  refused?: boolean;
  /** Whether it stops at its output limit. */
  truncated?: boolean;
}

/** One vendor's way to ask a model. A `parse` may throw: the asker is then told that its request is bad. */
export interface WireFormat {
  name: string;
  /** Whether a POST to this path asks the model something. */
  matches(path: string): boolean;
  parse(body: unknown, path: string): ModelRequest;
  /** The whole answer at once. */
  render(reply: ModelReply, request: ModelRequest): unknown;
  /** The same as server-sent events. */
  renderEvents(reply: ModelReply, request: ModelRequest): ServerEvent[];
  renderFailure(status: number, message: string): unknown;
}

export interface ServerEvent {
  event?: string;
  /** A string is sent as it is, anything else as JSON. */
  data: unknown;
}

/** What every answer says it cost: clients add these up and must not fail over them. */
export const usage = { input: 10, output: 5 };

/** Text the way models stream it: in pieces that ignore words. */
export function pieces(text: string): string[] {
  return text.match(/[\s\S]{1,12}/gu) ?? [];
}
