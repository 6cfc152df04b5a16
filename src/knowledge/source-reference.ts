/** Whether `TYPE:NAME`, a name or a type means this source. */
export function meansSource(reference: string, { type, name }: { type: string; name: string }): boolean {
  return reference === `${type}:${name}` || reference === name || reference === type;
}
