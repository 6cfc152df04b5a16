import { readFileSync } from 'node:fs';

/**
 * Asks this process to stop when the npm that runs it is gone. npm hands SIGINT and SIGTERM on, but only to
 * the shell in between, and not at all when it is killed outright.
 */
export function stopWithNpm() {
  if (!process.env['npm_lifecycle_event']) return;
  const before = parents();
  const watch = setInterval(() => {
    if (parents() === before) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 500);
  watch.unref();
}

/** The parent's id; and, where it is npm's shell, that of the shell's parent: some shells stay, some do not. */
function parents() {
  try {
    const stat = readFileSync(`/proc/${process.ppid}/stat`, 'utf8');
    const [, name = '', parentOfParent] = /\((.*)\) \S (\d+)/s.exec(stat) ?? [];
    return name.endsWith('sh') ? `${process.ppid} ${parentOfParent}` : `${process.ppid}`;
  } catch {
    return `${process.ppid}`;
  }
}
