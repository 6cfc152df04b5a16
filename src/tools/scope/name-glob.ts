/**
 * Matches names against a pattern in which `*` stands for any text, including none. The parts between the stars are
 * searched for one after another, so matching takes linear time.
 */
export function compileGlob(pattern: string): (name: string) => boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return (name) => name === pattern;
  const between = rest.filter((part) => part !== '');
  return (name) => {
    if (!name.startsWith(first)) return false;
    const end = name.length - last.length;
    let at = first.length;
    for (const part of between) {
      const found = name.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
    return at <= end && name.endsWith(last);
  };
}
