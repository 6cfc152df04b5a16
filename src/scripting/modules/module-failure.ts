import { dirname, isAbsolute, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ZooError } from '../../contract/errors.ts';
import type { ModuleFailure } from './module-messages.ts';
import { messageOf } from '../../platform/text/error-message.ts';

const isTold = (code: ZooError['code']): code is 'invalid_arguments' | 'untrusted' =>
  code === 'invalid_arguments' || code === 'untrusted';

interface Place {
  file: string;
  line: number;
}

/** An error of a module, with its place in the author's files. */
export function moduleFailure(error: unknown, path: string, ours: readonly string[]): ModuleFailure {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
  const own = frames.filter((frame) => {
    const place = placeIn(frame);
    return place !== null && !ours.some((folder) => place.file.startsWith(folder));
  });
  const syntax = syntaxErrorIn(messageOf(error));
  const mistake = error instanceof ZooError;
  const said = syntax?.message ?? firstParagraph(messageOf(error));
  const place = syntax?.place ?? (mistake ? null : own.map(placeIn).find((one) => one !== null)) ?? null;
  const file = place?.file ?? path;
  const line = place?.line ?? null;
  const refused = mistake && error.code === 'invalid_arguments';
  return {
    code: mistake && isTold(error.code) ? error.code : 'agent_error',
    message: refused ? said : `${shown(file, path)}${line === null ? '' : `:${line}`}: ${said}`,
    file,
    line,
    traceback: mistake
      ? []
      : own.map((frame) =>
          frame
            .trim()
            .replace(
              /\(?(?:file:\/\/)?(\/[^()]*?)(:\d+:\d+)\)?$/,
              (_whole, at: string, rest: string) => `(${shown(at, path)}${rest})`,
            ),
        ),
    issues: mistake ? error.details?.issues : undefined,
  };
}

/** Relative to the module's folder, if it is inside or near. */
function shown(file: string, path: string): string {
  const near = relative(dirname(path), file);
  return near.startsWith(`..${sep}..`) || isAbsolute(near) ? file : near;
}

/** `at resolve (/agents/a.ts:13:26)`, `at file:///agents/a.mjs:3:1`. */
function placeIn(frame: string): Place | null {
  const [, location, line] =
    /(?:\(|at (?:async )?)((?:file:\/\/|\/|[A-Za-z]:[\\/])[^()]*?):(\d+):\d+\)?$/.exec(frame) ?? [];
  if (location === undefined) return null;
  return { file: location.startsWith('file:') ? fileURLToPath(location) : location, line: Number(line) };
}

/** The loader says `ParseError: what\n FILE:LINE:COLUMN`. */
function syntaxErrorIn(message: string): { message: string; place: Place } | null {
  const [, what, file, line] = /ParseError: (.*?)\s*\n\s*(\S.*):(\d+):\d+/s.exec(message) ?? [];
  if (what === undefined || file === undefined) return null;
  return { message: `SyntaxError: ${what}`, place: { file, line: Number(line) } };
}

/** Node appends the list of requiring modules. */
function firstParagraph(message: string): string {
  return message.split('\nRequire stack:')[0] ?? message;
}
