import { existsSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { homeFiles, zooHome } from '../../../../platform/home/paths.ts';
import { Failure } from '../../output/failure.ts';
import { wrapMessage } from '../../output/wrap-message.ts';
import { prepareOutput, writeFailure } from '../../output/output-file.ts';
import { print, say } from '../../invocation.ts';
import type { Invocation } from '../../invocation.ts';
import { renderBytes } from '../../render/layout.ts';
import { confirm } from '../../input/asker.ts';

export async function backUp(call: Invocation, named: string, options: { force?: true }): Promise<void> {
  const home = zooHome(call.env);
  if (!existsSync(homeFiles(home).database)) {
    throw new Failure(`nothing to back up in ${home}`, {
      hints: ['set ZOO_HOME to back up another home'],
    });
  }
  const { path: file, existing } = prepareOutput(named, 'zoo-backup.db');
  if (existing && !existing.isFile()) {
    throw new Failure(`cannot write ${named}: it is not a regular file`, { hints: ['choose another name'] });
  }
  if (existing && !options.force) {
    throw new Failure(`${named} already exists`, {
      hints: ['choose another name, or overwrite it with --force'],
    });
  }
  const { backupHome } = await import('../../../../platform/store/backup.ts');
  // Under another name until it is complete: a partial file must not pass for a backup.
  const draft = `${file}.${process.pid}.part`;
  const startedAt = Date.now();
  try {
    // SQLite does not say why it cannot create a file.
    await writeFile(draft, '', { mode: 0o600 }).catch((error: unknown) => {
      throw writeFailure(named, error);
    });
    const { bytes } = await backupHome(home, draft);
    await rename(draft, file);
    const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
    const done = `Backed up ${home} to ${file} (${renderBytes(bytes)}, ${seconds} s)`;
    print(call, { file, bytes }, () => wrapMessage(done, call.columns));
  } finally {
    await rm(draft, { force: true });
  }
}

export async function restoreBackup(call: Invocation, named: string, options: { yes?: true }): Promise<void> {
  const file = resolve(named);
  const home = zooHome(call.env);
  if (!existsSync(file)) throw new Failure(`cannot read ${named}: no such file`);
  const { asker } = call.terminal;
  if (!options.yes) {
    const hints = ['`--yes` restores without asking; the current content is backed up first'];
    if (!asker) throw new Failure('not restored: there is no terminal to ask at', { hints });
    say(call, `This replaces everything in ${home} with ${file}. The current content is backed up first.`);
    if (!(await confirm(asker, 'Restore it?'))) return say(call, 'Nothing was changed.');
  }
  const { restoreHome } = await import('../../../../platform/store/backup.ts');
  const { previous } = await restoreHome(home, file);
  print(call, { restored: file, previous }, () => `Restored ${file}`);
  if (!call.json) say(call, `Backup of the previous content: ${previous}\nUndo: zoo restore ${previous}`);
}
