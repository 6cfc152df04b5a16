export type HaltReason = 'memory' | 'output' | 'host-calls' | 'stack' | 'untrusted' | 'engine';

/**
 * Ends a call from within, whatever the script does: Lua's `pcall` catches Lua's own errors, and everything else that
 * is thrown goes through the engine up to whoever called it. The state is of no use afterwards.
 */
export class Halt extends Error {
  readonly reason: HaltReason;

  constructor(reason: HaltReason, message: string) {
    super(message);
    this.name = 'Halt';
    this.reason = reason;
  }
}

/** An error that the script may catch: it becomes one of Lua's. */
export class Fault extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Fault';
  }
}
