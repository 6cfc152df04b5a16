const REFERENCE = /\$\{([^}]*)\}/g;
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** The references of other clients as ours: `${VAR}`. What cannot be one is told. */
export function convertReferences(text: string, notes: string[]): string {
  return text.replace(REFERENCE, (whole, inner: string) => {
    if (NAME.test(inner)) return inner === 'workspaceFolder' ? '.' : inner === 'userHome' ? '${HOME}' : whole;
    const [kind = '', ...rest] = inner.split(':');
    const name = rest.join(':');
    if (kind === 'env' && NAME.test(name)) return `\${${name}}`;
    if (kind === 'input') {
      const variable = name.replace(/[^A-Za-z0-9]+/g, '_').toUpperCase();
      notes.push(`VS Code asks for '${name}': set ${variable} where the hub is started instead`);
      return `\${${variable}}`;
    }
    if (NAME.test(kind) && name.startsWith('-')) {
      notes.push(`\${${inner}} has a default, ${name.slice(1)}, which is not taken over: set ${kind}`);
      return `\${${kind}}`;
    }
    if (inner === '/' || inner === 'pathSeparator') return '/';
    notes.push(`${whole} means nothing here: write what it stands for`);
    // The text itself, rather than a variable of that name.
    return `$${whole}`;
  });
}
