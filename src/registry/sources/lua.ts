import { readFile } from 'node:fs/promises';
import type { ScriptFile } from '../../scripting/sandbox.ts';
import type { FileSource, FolderContent } from '../file-source.ts';
import { loadPrograms, type OpenProgram } from '../program-source.ts';
import type { Runners } from '../program.ts';

/** `[agents.script.NAME]`: scripts in the sandbox. */
export function createLuaSource(content: FolderContent): FileSource {
  const { scripts } = content.runners;
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

/** What was read is what runs until it is read again: nothing that was not approved, and nothing half saved. */
function openScript(scripts: Runners['scripts'], file: ScriptFile): OpenProgram {
  let texts: Record<string, string> = {};
  return {
    async describe() {
      const description = await scripts.describe(file);
      const own = description.files.filter((path) => /\.lua$/i.test(path));
      texts = Object.fromEntries(
        await Promise.all(own.map(async (path) => [path, await readFile(path, 'utf8')] as const)),
      );
      return description;
    },
    run: ({ args, ...call }, config) =>
      scripts.call({ ...file, texts }, { function: 'resolve', args: [args, config], config, ...call }),
  };
}
