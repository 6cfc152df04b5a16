/** What FTS5 is asked. Every term is a quoted string, so nothing in it can be read as syntax. */
export function matchExpression(query: {
  terms: readonly string[];
  /** Terms in a row that count as one more term where they stand together. */
  sequences?: readonly (readonly string[])[];
  required?: readonly (readonly string[])[];
  /** Expressions that must hold as well. */
  narrowing?: readonly string[];
  excluded?: readonly (readonly string[])[];
}): string | null {
  const any = [...query.terms.map((term) => [term]), ...(query.sequences ?? [])].map(phrase);
  const required = [...(query.required ?? []).map(phrase), ...(query.narrowing ?? [])];
  if (any.length === 0 && required.length === 0) return null;
  // With something required, the other words only count: they are not needed.
  const must =
    required.length === 0
      ? `(${any.join(' OR ')})`
      : any.length === 0
        ? required.join(' AND ')
        : `((${required.join(' AND ')}) AND (${[...any, ...required].join(' OR ')}))`;
  const not = (query.excluded ?? []).map(phrase);
  return not.length === 0 ? must : `${must} NOT (${not.join(' OR ')})`;
}

/** Terms in a row. */
export const phrase = (terms: readonly string[]): string =>
  `"${terms.map((term) => term.replaceAll('"', '""')).join(' ')}"`;
