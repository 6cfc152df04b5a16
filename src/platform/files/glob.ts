import picomatch from 'picomatch';

/** What tells whether a path, with `/` between its parts, is one that a glob means. Hidden files are meant by name alone. */
export function compileGlob(glob: string): (path: string) => boolean {
  const isMatch = picomatch(glob.replace(/^\.\//, ''));
  return (path) => isMatch(path);
}
