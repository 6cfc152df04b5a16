export type HaltReason = 'memory' | 'output' | 'host-calls' | 'stack' | 'untrusted' | 'engine';

/**
 * Stops a call from within. Lua's `pcall` catches only Lua errors; other exceptions pass through the engine to our
 * caller. The state is unusable afterwards.
 */
export class Halt extends Error {
  readonly reason: HaltReason;

  constructor(reason: HaltReason, message: string) {
    super(message);
    this.name = 'Halt';
    this.reason = reason;
  }
}

/** An error that the script may catch: it becomes a Lua error. */
export class Fault extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Fault';
  }
}
