import { type ErrorCode, ZooError } from '../../../contract/errors.ts';
import { messageOf } from '../../../platform/text/error-message.ts';
import { terminalJson } from '../../../platform/text/terminal-text.ts';
import { indent } from '../render/layout.ts';
import type { Paint } from './paint.ts';
import { wrapMessage } from './wrap-message.ts';
import { reasonOf, refusedPath } from '../../../platform/text/system-error.ts';

/** An expected failure of a command, with hints. Anything else that is thrown is a `ZooError` or a bug. */
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

  /** By name: the command and its chunks are bundled separately, each with a copy of this class. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'Failure';
  }
}

export function wrongUsage(message: string, ...hints: string[]): Failure {
  return new Failure(message, { hints, exitCode: 2 });
}

/** Next steps for each expected failure of the hub. */
const nextSteps: Record<ErrorCode, readonly string[]> = {
  agent_not_found: ['`zoo agent list` lists the agents, `--deleted` the deleted ones'],
  skill_not_found: ['`zoo agent show ID` lists its skills with their ids'],
  category_not_found: ['`zoo agent show ID --json` lists its categories'],
  published_tool_not_found: ['`zoo agent show ID` lists its published tools'],
  brain_entry_not_found: ['`zoo brain list AGENT` lists its entries with their ids'],
  revision_not_found: ['`zoo agent history ID` lists the revisions'],
  template_not_found: ['`zoo template list` lists the templates'],
  workspace_not_found: ['`--workspace` takes an existing folder'],
  token_not_found: ['`zoo token list` lists the tokens with their ids'],
  question_not_found: ['`zoo inbox` lists the open questions'],
  tool_not_found: ['`zoo tools list` lists the tools'],
  upstream_not_found: ['`zoo tools status` lists the servers'],
  document_not_found: ['`zoo search "…"` finds documents and prints their ids'],
  route_not_found: ['the hub may run another version: `zoo status` shows it, `zoo stop` stops it'],
  invalid_arguments: [],
  invalid_format: [],
  unauthorized: ['the hub rejected the token: `zoo doctor` checks it'],
  foreign_origin: [],
  foreign_host: [],
  out_of_scope: ['`zoo scope explain AGENT TOOL` explains why'],
  untrusted: ['`zoo trust` shows what this workspace would run and approves it'],
  read_only: ['`zoo agent edit ID` offers to copy it into the editor'],
  already_exists: ['choose another id; deleted agents keep theirs (`zoo agent list --deleted`)'],
  too_large: [],
  conflict: [],
  agent_error: [],
  tool_error: [],
  timeout: [],
  budget_exceeded: [],
  rate_limited: [],
  permission_denied: [],
  no_provider: ['`zoo providers` shows which keys and addresses are missing'],
  provider_error: ['`zoo providers --check` asks every provider'],
  run_not_found: ['`zoo runs list` shows the runs with their ids'],
  job_not_found: ['`zoo runs list` shows the runs with their ids'],
  chat_not_found: ['`zoo chats list` lists the chats with their ids'],
  team_not_found: ['`zoo team list` lists the teams'],
  member_not_found: ['`zoo team show TEAM` lists its members'],
  message_not_found: ['`zoo team log --dead TEAM` lists the dead letters with their ids'],
  unreachable_member: [],
  internal: ['`zoo logs --level error` may have details; ZOO_DEBUG=1 prints the stack'],
};

/** For a conflict over a lock rather than a change. */
const HELD = ['retry when it has exited; `zoo status` shows whether it is the hub'];

/** For an edit that is based on an earlier version. */
const CHANGED = ['it was changed in the meantime: review it, then retry'];

const DELETED = ['`zoo agent undelete ID` restores it'];

function stepsAfter({ code, details }: ZooError): readonly string[] {
  if (typeof details?.['pid'] === 'number') return HELD;
  if (code === 'conflict' && details?.['current'] !== undefined) return CHANGED;
  return code === 'agent_not_found' && (details?.['deletedAt'] || details?.['deleted'])
    ? DELETED
    : nextSteps[code];
}

export interface Reported {
  code: string;
  message: string;
  hints: readonly string[];
  exitCode: 1 | 2;
}

/** The part of an error that is printed. */
export function describe(error: unknown): Reported {
  if (error instanceof Failure) {
    return { code: error.code, message: error.message, hints: error.hints, exitCode: error.exitCode };
  }
  if (error instanceof ZooError) {
    const id = error.details?.['agentId'] ?? error.details?.['id'];
    const missing = error.details?.['missing'];
    const hints = [
      ...(typeof missing === 'string' ? [`add \`--arg ${missing}=…\``] : []),
      ...stepsAfter(error).map((hint) => (typeof id === 'string' ? hint.replaceAll(/\bID\b/g, id) : hint)),
    ];
    return { code: error.code, message: error.message, hints, exitCode: 1 };
  }
  const path = refusedPath(error);
  if (path !== null) {
    return { code: 'failed', message: `cannot use ${path}: ${reasonOf(error)}`, hints: [], exitCode: 1 };
  }
  const message = messageOf(error);
  return { code: 'internal', message, hints: nextSteps.internal, exitCode: 1 };
}

/** `columns` is the width of the terminal, or Infinity. */
export function renderFailure(
  { code, message, hints }: Reported,
  { json, columns, paint }: { json: boolean; columns: number; paint: Paint },
): string {
  if (json)
    return `${terminalJson(JSON.stringify({ error: { code, message, ...(hints.length > 0 ? { hints } : {}) } }))}\n`;
  // Later lines are indented: text from outside must not look like a line of ours.
  const lines = [
    `${paint('alert', 'error')}: ${message}`,
    ...hints.map((hint) => `${paint('bold', 'hint')}: ${hint}`),
  ];
  const text = lines.map((line) => indent(line).trimStart()).join('\n');
  return `${columns === Infinity ? text : wrapMessage(text, columns)}\n`;
}
