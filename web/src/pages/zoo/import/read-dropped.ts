import { formatBytes, formatNumber } from '../../../kit/numbers.ts';

interface TextFile {
  /** Within the folder that was chosen. */
  path: string;
  text: string;
}

/** What is read of files that were chosen or dropped. */
export interface ReadFiles {
  files: readonly TextFile[];
  /** Files that may hold agents and were not read, each with the reason. */
  leftOut: readonly { path: string; why: string }[];
}

/** What an agent can be in, by the end of its name. */
const AGENT_FILE = /\.(md|markdown|toml|json)$/i;
/** Folders full of such files that hold no agents. */
const SKIPPED = /(^|\/)(node_modules|\.git)\//;
const MAX_BYTES = 1024 * 1024;
const MAX_FILES = 1000;

interface Found {
  path: string;
  file: File;
}

/** The files that were chosen in a dialog, one by one or as a folder. */
export function readChosen(list: FileList): Promise<ReadFiles> {
  return readAll([...list].map((file) => ({ path: file.webkitRelativePath || file.name, file })));
}

/** The files and folders that were dropped. Has to be called while the event is handled: later, its items are gone. */
export async function readDropped({ items }: DataTransfer): Promise<ReadFiles> {
  const dropped = [...items]
    .filter(({ kind }) => kind === 'file')
    .map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  const found = await Promise.all(
    dropped.map(async ({ entry, file }): Promise<Found[]> => {
      if (entry?.isDirectory) return filesIn(entry, '');
      return file ? [{ path: file.name, file }] : [];
    }),
  );
  return readAll(found.flat());
}

async function readAll(found: readonly Found[]): Promise<ReadFiles> {
  const possible = found.filter(({ path }) => AGENT_FILE.test(path) && !SKIPPED.test(path));
  const small = possible.filter(({ file }) => file.size <= MAX_BYTES);
  return {
    files: await Promise.all(
      small.slice(0, MAX_FILES).map(async ({ path, file }) => ({ path, text: await file.text() })),
    ),
    leftOut: [
      ...possible
        .filter(({ file }) => file.size > MAX_BYTES)
        .map(({ path, file }) => ({ path, why: `larger than 1 MB (${formatBytes(file.size)})` })),
      ...small.slice(MAX_FILES).map(({ path }) => ({
        path,
        why: `more than ${formatNumber(MAX_FILES)} files; import fewer at a time`,
      })),
    ],
  };
}

async function filesIn(entry: FileSystemEntry, before: string): Promise<Found[]> {
  const path = before + entry.name;
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
    return [{ path, file }];
  }
  if (!isFolder(entry) || SKIPPED.test(`${path}/`)) return [];
  const children = await entriesOf(entry);
  return (await Promise.all(children.map((child) => filesIn(child, `${path}/`)))).flat();
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

/** The browser hands them out in batches, and an empty one at the end. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (batch.length === 0) return all;
    all.push(...batch);
  }
}
