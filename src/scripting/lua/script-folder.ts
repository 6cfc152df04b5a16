import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync, readdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { isInside } from '../../platform/files/real-path.ts';
import { Fault, Halt } from './halt.ts';
import type { LuaJob } from './lua-messages.ts';
import { notApproved } from '../not-approved.ts';
import { messageOf } from '../../platform/text/error-message.ts';

const maxFileBytes = 16 * 1024 * 1024;
const maxScriptBytes = 4 * 1024 * 1024;
const maxEntries = 10_000;
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

export interface ScriptFolder {
  /** The script's name in errors. */
  name: string;
  readScript(): Uint8Array;
  /** Its text and its name within the folder, or why it cannot be read. */
  readModule(name: string): { source: Uint8Array; file: string } | { problem: string };
  readFile(path: string): Uint8Array;
  /** Sorted; folders end with a slash. */
  list(path: string): string[];
  /** Absolute paths of the files that were read, with content hashes. */
  files(): Record<string, string>;
  /** The path of a file by its name in errors; null if there is no such file. */
  pathOf(name: string): string | null;
}

/** The files that a script can see: its own folder, by real paths, without hidden files. */
export function openScriptFolder({
  path: script,
  root,
  approved,
  texts,
}: Pick<LuaJob, 'path' | 'root' | 'approved' | 'texts'>): ScriptFolder {
  const folder = realFolder(script);
  // Files below the trusted folder itself were not part of the approval.
  const deep = dirname(script) !== root && isInside(realOrSame(root), folder);
  const read = new Map<string, string>();
  const modules = new Map<string, string>();

  function locate(path: string, what: string): string {
    const parts = path.split(/[/\\]/).filter((part) => part !== '' && part !== '.');
    const outside = /^(?:[/\\]|[a-z]:)/i.test(path) || parts.some((part) => part.startsWith('.'));
    if (outside || path.includes('\0'))
      throw new Fault(`${what} '${path}' is outside of the script's folder`);
    let real: string;
    try {
      real = realpathSync(join(folder, ...parts));
    } catch {
      throw new Fault(`${what} '${path}' not found in the script's folder`);
    }
    const hidden = relative(folder, real)
      .split(sep)
      .some((part) => part.startsWith('.'));
    if (!isInside(folder, real) || hidden)
      throw new Fault(`${what} '${path}' is outside of the script's folder`);
    return real;
  }

  function load(file: string, shown: string, limit: number): Buffer {
    const kept = texts[file];
    const bytes = kept === undefined ? readBounded(file, shown, limit) : Buffer.from(kept);
    read.set(file, createHash('sha256').update(bytes).digest('hex'));
    return bytes;
  }

  /** Checks the content that was read, so that it cannot change in between. */
  function loadCode(file: string, shown: string): Buffer {
    const bytes = load(file, shown, maxScriptBytes);
    const known = approved?.[realOrSame(file)];
    if (approved && known !== read.get(file))
      throw new Halt('untrusted', notApproved(file === script ? 'it' : shown, known));
    return withoutFirstWords(bytes);
  }

  function readModule(name: string): { source: Uint8Array; file: string } | { problem: string } {
    if (!/^[\w-]+(?:\.[\w-]+)*$/.test(name))
      return {
        problem: `'${name}' is not a module: scripts can require files beside them, by names such as 'lib.text'`,
      };
    const path = name.split('.');
    if (path.includes('node_modules') || (path.length > 1 && !deep))
      return {
        problem: `module '${name}' cannot be required: scripts can require files beside them${deep ? ' and below' : ', but not below'}`,
      };
    const candidates = [`${path.join('/')}.lua`, ...(deep ? [`${path.join('/')}/init.lua`] : [])];
    for (const file of candidates) {
      let real: string;
      try {
        real = locate(file, 'module');
      } catch (error) {
        if (error instanceof Fault && error.message.includes(' not found ')) continue;
        return { problem: messageOf(error) };
      }
      modules.set(file, real);
      return { source: loadCode(real, file), file };
    }
    return {
      problem: `module '${name}' not found: neither ${candidates.join(' nor ')} exists beside the script`,
    };
  }

  return {
    name: basename(script),
    readScript: () => loadCode(script, basename(script)),
    readModule,
    readFile: (path) => load(locate(path, 'file'), path, maxFileBytes),
    list(path) {
      let entries;
      try {
        entries = readdirSync(locate(path, 'folder'), { withFileTypes: true });
      } catch (error) {
        if (error instanceof Fault) throw error;
        throw new Fault(`'${path}' is not a folder`);
      }
      return entries
        .filter((entry) => !entry.name.startsWith('.'))
        .slice(0, maxEntries)
        .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
        .toSorted();
    },
    files: () => Object.fromEntries(read),
    pathOf: (name) => (name === basename(script) ? script : (modules.get(name) ?? null)),
  };
}

/** Beside the script itself, not beside the target of a link: that is what was approved. */
function realFolder(script: string): string {
  try {
    realpathSync(script);
    return realpathSync(dirname(script));
  } catch {
    throw new Fault('file not found');
  }
}

function realOrSame(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** A byte order mark and a `#!` line, which Lua skips in files. */
function withoutFirstWords(bytes: Buffer): Buffer {
  const text = bytes.subarray(0, 3).equals(byteOrderMark) ? bytes.subarray(3) : bytes;
  if (text[0] !== '#'.codePointAt(0)) return text;
  const end = text.indexOf('\n');
  return end < 0 ? text.subarray(text.length) : text.subarray(end);
}

/** A pipe or device would block the thread, so the file type is checked first, and files are opened non-blocking. */
function readBounded(path: string, shown: string, limit: number): Buffer {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    throw new Fault(`'${shown}' cannot be read`);
  }
  try {
    const info = fstatSync(file);
    if (!info.isFile()) throw new Fault(`'${shown}' is not a file`);
    if (info.size > limit) throw new Fault(`'${shown}' exceeds the limit of ${limit} bytes`);
    const bytes = Buffer.alloc(info.size);
    let length = 0;
    while (length < bytes.length) {
      const got = readSync(file, bytes, length, bytes.length - length, length);
      if (got === 0) break;
      length += got;
    }
    return bytes.subarray(0, length);
  } finally {
    closeSync(file);
  }
}
