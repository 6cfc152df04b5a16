import { closeSync, fstatSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { pino } from 'pino';
import { redact, redactText } from '../text/redact.ts';
import { makeFolder } from '../files/make-folder.ts';

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The hub's log. Secrets in fields and texts are masked. */
export interface Log {
  debug(message: string, fields?: Record<string, unknown>): void;
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  error(message: string, fields?: Record<string, unknown>): void;
}

export interface LogFile extends Log {
  close(): void;
}

export interface LogOptions {
  file: string;
  level?: string | undefined;
  /** Above this size, the file is rotated to `FILE.1`, and `FILE.1` to `FILE.2`. */
  maxBytes?: number;
  /** How many older files are kept. */
  keep?: number;
}

/**
 * JSON lines in a rotated file. Lines are written synchronously, because the last one before a crash matters most.
 */
export function createLog({ file, level, maxBytes = 5_000_000, keep = 3 }: LogOptions): LogFile {
  const lines = openRotating(file, maxBytes, keep);
  const sink = pino(
    {
      level: LOG_LEVELS.find((known) => known === level) ?? 'info',
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    lines,
  );
  const writer =
    (name: LogLevel) =>
    (message: string, fields: Record<string, unknown> = {}): void => {
      if (sink.isLevelEnabled(name)) sink[name](redact(fields), redactText(message));
    };
  return {
    debug: writer('debug'),
    info: writer('info'),
    warn: writer('warn'),
    error: writer('error'),
    close: () => lines.close(),
  };
}

interface Rotating {
  write(line: string): void;
  close(): void;
}

function openRotating(file: string, maxBytes: number, keep: number): Rotating {
  makeFolder(dirname(file), 0o700);
  let descriptor: number | null = null;
  let size = 0;

  const open = (): number => {
    descriptor = openSync(file, 'a', 0o600);
    size = fstatSync(descriptor).size;
    return descriptor;
  };
  const close = (): void => {
    if (descriptor !== null) closeSync(descriptor);
    descriptor = null;
    size = 0;
  };
  const rotate = (): void => {
    close();
    rmSync(`${file}.${keep}`, { force: true });
    for (let age = keep - 1; age >= 0; age -= 1)
      moveIfThere(age === 0 ? file : `${file}.${age}`, `${file}.${age + 1}`);
  };

  open();
  if (size >= maxBytes) rotate();
  return {
    write(line) {
      try {
        const bytes = Buffer.from(line);
        if (size > 0 && size + bytes.length > maxBytes) rotate();
        writeSync(descriptor ?? open(), bytes);
        size += bytes.length;
      } catch {
        // A full disk must not crash the hub; the next line is tried again.
        close();
      }
    },
    close,
  };
}

function moveIfThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}
