import type { Budget } from '../contract/call.ts';
import type { Environment } from '../platform/home/paths.ts';
import type { StartProcess } from './sandbox/sandbox.ts';

/** A tool that a command-line agent asks permission for. */
export interface PermissionRequest {
  title: string;
  /** The title with which the tool call was announced, if it is another one. */
  announced?: string | undefined;
  /** `read`, `edit`, `execute` and so on, as the agent says. */
  kind: string;
  /** Files it is about; relative to the workspace or absolute. */
  paths: readonly string[];
}

export type Permission = { isAllowed: true } | { isAllowed: false; reason: string };

/** Events of a turn, for the log and the idle timeout. */
export type HarnessEvent =
  { type: 'text'; text: string } | { type: 'tool'; title: string; kind: string } | { type: 'other' };

export interface TurnAnswer {
  text: string;
  spent: { tokens: number; usd: number };
}

/** Its environment contains the hub's address; it expects the token as ZOO_TOKEN. */
export interface BridgeCommand {
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
}

/** The MCP server of a member. Its address is for it alone. */
export interface McpAccess {
  name: string;
  url: string;
  token: string;
  /** `zoo mcp`, for agents that take programs only. */
  bridge: BridgeCommand;
}

/** Who a session is for. */
export interface SessionMember {
  id: string;
  teamId: string;
  name: string;
  workspace: string;
  agentId: string | null;
}

/** A session to start, or to resume by its native id. The host owns the folder and the environment. */
export interface SessionLaunch {
  member: SessionMember;
  /** What is left of its budget and of the team's. */
  budget(): Budget;
  folder: string;
  /** A home folder of its own: where it is, and what its processes call it. */
  home: { outside: string; inside: string };
  /** Handed over with the first prompt of a new session, and with that of a session whose first turn is retried. */
  system: string;
  /** True until a turn of the member has succeeded. */
  isFirstTurn: boolean;
  session: string | null;
  mcp: McpAccess;
  /** A read-only view of the workspace: writes are refused. */
  readOnly: boolean;
  /** Aborts if the session is cancelled while it is being opened. */
  signal: AbortSignal;
  /** Whether its processes are in a sandbox, where they may run commands without asking. */
  isConfined: boolean;
  permit(request: PermissionRequest, signal: AbortSignal): Promise<Permission>;
}

export interface HarnessSession {
  /** The native id, by which a later launch resumes it. Some programs report it in their first turn. */
  readonly id: string;
  /** Rejects when the process ends or reports a failure. Aborting ends the turn, if need be with the process. */
  run(prompt: string, signal: AbortSignal, on: (event: HarnessEvent) => void): Promise<TurnAnswer>;
  /** False once the process has ended. */
  isAlive(): boolean;
  stop(): Promise<void>;
}

/** What a harness starts processes with: the host decides what they see of the machine. */
export interface HarnessHost {
  start: StartProcess;
  /** Of the hub, to find programs. */
  env: Environment;
}

export interface HarnessStatus {
  installed: boolean;
  version: string | null;
  /** How to fix a harness that cannot be used. */
  missing: string | null;
  /** If it is not the harness's own. */
  command?: string[];
}

/** Drives one kind of command-line agent. It only translates: sandbox, folder and environment come from the host. */
export interface Harness {
  readonly name: string;
  readonly command: readonly string[];
  /** Files of the user that its processes need inside of a sandbox, such as credentials; read-only. */
  readonly readable: readonly string[];
  /** Hosts of the models that it talks to, for members without a network. */
  readonly hosts: readonly string[];
  /** Whether it resolves the member's agent by itself, so that the first prompt need not hold its persona. */
  readonly ownsPersona?: boolean;
  /** What has to be installed before a session can start in the folder; null if nothing. Starts no process. */
  missing(env: Environment, folder: string): Promise<string | null>;
  probe(host: HarnessHost): Promise<HarnessStatus>;
  open(launch: SessionLaunch, host: HarnessHost): Promise<HarnessSession>;
}
