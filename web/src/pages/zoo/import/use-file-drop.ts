import { useEffect, useRef, useState } from 'react';
import { readDropped, type ReadFiles } from './read-dropped.ts';

/** Takes files that are dropped anywhere on the page. True while some are held over it. */
export function useFileDrop(onFiles: (files: ReadFiles) => void): boolean {
  const [isOver, setOver] = useState(false);
  const latest = useRef(onFiles);
  useEffect(() => {
    latest.current = onFiles;
  });
  useEffect(() => {
    // Every element on the way sends events of its own: the page is left when as many were left as entered.
    let depth = 0;
    const ending = new AbortController();
    const { signal } = ending;
    const isFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;
    const listen = (type: 'dragenter' | 'dragleave' | 'dragover' | 'drop', act: (event: DragEvent) => void) =>
      addEventListener(
        type,
        (event) => {
          if (!isFiles(event)) return;
          event.preventDefault();
          act(event);
          setOver(depth > 0);
        },
        { signal },
      );
    listen('dragenter', () => (depth += 1));
    listen('dragleave', () => (depth -= 1));
    listen('dragover', () => undefined);
    listen('drop', ({ dataTransfer }) => {
      depth = 0;
      if (dataTransfer) void readDropped(dataTransfer).then((files) => latest.current(files));
    });
    return () => ending.abort();
  }, []);
  return isOver;
}
