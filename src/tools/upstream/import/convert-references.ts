const REFERENCE = /\$\{([^}]*)\}/g;
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Turns the references of other clients into `${VAR}`, with a note where that is not possible. */
export function convertReferences(text: string, notes: string[]): string {
  return text.replace(REFERENCE, (whole, inner: string) => {
    if (NAME.test(inner)) return inner === 'workspaceFolder' ? '.' : inner === 'userHome' ? '${HOME}' : whole;
    const [kind = '', ...rest] = inner.split(':');
    const name = rest.join(':');
    if (kind === 'env' && NAME.test(name)) return `\${${name}}`;
    if (kind === 'input') {
      const variable = name.replace(/[^A-Za-z0-9]+/g, '_').toUpperCase();
      notes.push(`VS Code asks for '${name}': set ${variable} instead`);
      return `\${${variable}}`;
    }
    if (NAME.test(kind) && name.startsWith('-')) {
      notes.push(`\${${inner}} has a default, ${name.slice(1)}, which was not imported: set ${kind}`);
      return `\${${kind}}`;
    }
    if (inner === '/' || inner === 'pathSeparator') return '/';
    notes.push(`${whole} is not supported: replace it by its value`);
    // Escaped, so that it is not taken for a variable.
    return `$${whole}`;
  });
}
