import { type ErrorCode, ZooError } from '../../../contract/errors.ts';
import { reasonOf, refusedPath } from './system-error.ts';
import { messageOf } from '../../../platform/text/error-message.ts';

/** Something the person at the command line can act on. Anything else that is thrown is a bug or a `ZooError`. */
export class Failure extends Error {
  readonly code: string;
  readonly hints: readonly string[];
  readonly exitCode: 1 | 2;

  constructor(message: string, options: { hints?: readonly string[]; code?: string; exitCode?: 1 | 2 } = {}) {
    super(message);
    this.name = 'Failure';
    this.code = options.code ?? (options.exitCode === 2 ? 'usage' : 'failed');
    this.hints = options.hints ?? [];
    this.exitCode = options.exitCode ?? 1;
  }

  /** By name: the command and its chunks are bundled apart, each with a copy of this class. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'Failure';
  }
}

export function wrongUsage(message: string, ...hints: string[]): Failure {
  return new Failure(message, { hints, exitCode: 2 });
}

/** What to do next, for each expected failure of the hub. */
const nextSteps: Record<ErrorCode, readonly string[]> = {
  agent_not_found: [
    '`zoo agent list` shows every agent, `zoo agent list --deleted` those that can be undeleted',
  ],
  skill_not_found: ['`zoo agent show ID` lists its skills with their ids'],
  category_not_found: ['`zoo agent show ID --json` lists its categories'],
  published_tool_not_found: ['`zoo agent show ID` lists its published tools'],
  brain_entry_not_found: ['`zoo brain list AGENT` shows its entries with their ids'],
  revision_not_found: ['`zoo agent history ID` lists the revisions'],
  template_not_found: ['`zoo template list` shows the templates'],
  workspace_not_found: ['`--workspace` takes a folder that exists'],
  token_not_found: ['`zoo token list` shows the tokens with their ids'],
  tool_not_found: ['`zoo tools list` shows every tool'],
  upstream_not_found: ['`zoo tools status` shows the servers'],
  document_not_found: ['`zoo search "…"` finds documents and shows their ids'],
  route_not_found: ['the hub may be of another version: `zoo status` shows it, `zoo stop` ends it'],
  invalid_arguments: [],
  invalid_format: [],
  unauthorized: ['the hub does not know this token: `zoo doctor` checks it'],
  foreign_origin: [],
  foreign_host: [],
  out_of_scope: ['`zoo scope explain AGENT TOOL` says why'],
  untrusted: ['`zoo trust` shows what this workspace would run, and approves it'],
  read_only: ['`zoo agent clone ID --id ID` copies it into the editor, where it wins over the file'],
  already_exists: ['choose another id; a deleted agent keeps its id (`zoo agent list --deleted`)'],
  too_large: [],
  conflict: ['somebody else changed it: look again, then repeat'],
  agent_error: [],
  tool_error: [],
  timeout: [],
  budget_exceeded: [],
  internal: ['`zoo logs --level error` may say more; ZOO_DEBUG=1 shows the stack'],
};

/** For a conflict that is not about a change: another process has what is wanted. */
const HELD = ['try again when it has ended; `zoo status` says whether it is the hub'];

export interface Reported {
  code: string;
  message: string;
  hints: readonly string[];
  exitCode: 1 | 2;
}

/** What is shown of an error. */
export function describe(error: unknown): Reported {
  if (error instanceof Failure) {
    return { code: error.code, message: error.message, hints: error.hints, exitCode: error.exitCode };
  }
  if (error instanceof ZooError) {
    const id = error.details?.['id'] ?? error.details?.['agentId'];
    const steps = typeof error.details?.['pid'] === 'number' ? HELD : nextSteps[error.code];
    const hints = steps.map((hint) => (typeof id === 'string' ? hint.replaceAll(/\bID\b/g, id) : hint));
    return { code: error.code, message: error.message, hints, exitCode: 1 };
  }
  const path = refusedPath(error);
  if (path !== null) {
    return { code: 'failed', message: `cannot use ${path}: ${reasonOf(error)}`, hints: [], exitCode: 1 };
  }
  const message = messageOf(error);
  return { code: 'internal', message, hints: nextSteps.internal, exitCode: 1 };
}

export function renderFailure({ code, message, hints }: Reported, json: boolean): string {
  if (json)
    return `${JSON.stringify({ error: { code, message, ...(hints.length > 0 ? { hints } : {}) } })}\n`;
  return [`error: ${message}`, ...hints.map((hint) => `hint: ${hint}`)].join('\n') + '\n';
}
