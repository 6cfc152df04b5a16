import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import type { ScriptFile } from '../../scripting/sandbox.ts';
import type { FileSource, FolderContent } from '../file-source.ts';
import { loadPrograms, type OpenProgram } from '../programs/program-source.ts';
import type { ScriptEngines } from '../programs/program.ts';

/** `[agents.script.NAME]`: scripts in the sandbox. */
export function createLuaSource(content: FolderContent): FileSource {
  const { scripts } = content.engines;
  return {
    kind: 'lua',
    load: () =>
      loadPrograms(content, {
        source: 'lua',
        table: 'script',
        extensions: /\.lua$/i,
        memoryMb: 64,
        first: 1,
        open: (file) => openScript(scripts, file),
      }),
  };
}

/** Calls run the contents that were read, never an unapproved or half-saved file. */
function openScript(scripts: ScriptEngines['scripts'], file: ScriptFile): OpenProgram {
  return {
    async describe() {
      const description = await scripts.describe(file);
      const own = description.files.filter((path) => /\.lua$/i.test(path));
      const read = await Promise.all(own.map(async (path) => [path, await readFile(path)] as const));
      // Lua strings may be any bytes; a script that is not UTF-8 is read from disk.
      const texts = read.flatMap(([path, bytes]) =>
        isUtf8(bytes) ? [[path, bytes.toString()] as const] : [],
      );
      return { ...description, texts: Object.fromEntries(texts) };
    },
    run: ({ args, ...call }, config, texts) =>
      scripts.call(
        { ...file, texts: texts ?? {} },
        { function: 'resolve', args: [args, config], config, ...call },
      ),
  };
}
