/** Whether version `a` comes before `b`; a preview comes before its release. */
export function isOlder(a: string, b: string): boolean {
  const [left, right] = [parts(a), parts(b)];
  for (let n = 0; n < 3; n += 1) {
    const difference = (left.numbers[n] ?? 0) - (right.numbers[n] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  if (left.preview === right.preview) return false;
  return right.preview === '' || (left.preview !== '' && left.preview < right.preview);
}

function parts(version: string): { numbers: number[]; preview: string } {
  const [, numbers = '0', preview = ''] = /^([\d.]+)(?:-([^+]*))?/.exec(version) ?? [];
  return { numbers: numbers.split('.').map(Number), preview };
}
