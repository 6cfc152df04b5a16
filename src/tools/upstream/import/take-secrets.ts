import { isSecretKey } from '../../../platform/text/redact.ts';

/** Replaces secrets by variables, one per distinct value. */
export interface Vault {
  server: string;
  notes: string[];
  /** The values of the variables, for all servers. */
  secrets: Map<string, string>;
}

const SCHEME = /^(Bearer|Basic|Token)\s+/i;
/** In queries and connection strings; references are not secrets. */
const SECRET_PAIR =
  /([?&;,\s]|^)([\w-]*(?:token|key|secret|password|passwd|pwd)|code)=([^\s"'&;@#$<>{}]{3,})/gi;
const SECRET_FLAG = /^(--?[\w-]*(?:token|key|secret|password)[\w-]*)(?:=(.+))?$/i;
/** Keys of well-known services, anywhere in a text. */
const KNOWN_KEY =
  /\b(?:gh[pousr]_|github_pat_|glpat-|sk-|xox[abprs]-|AKIA|AIza|npm_|pypi-|hf_|lin_api_)[A-Za-z0-9_-]{12,}/g;

/** Replaces the secrets of a table (`env` or `headers`) by references. */
export function takeFromTable(
  vault: Vault,
  table: Record<string, string>,
  areVariables: boolean,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(table).map(([key, value]) => {
      const scheme = SCHEME.exec(value)?.[0] ?? '';
      const isSecret = value !== '' && !value.includes('${') && (isSecretKey(key) || scheme !== '');
      if (!isSecret) return [key, takeFromText(vault, value)];
      return [key, scheme + keep(vault, key, value.slice(scheme.length), areVariables)];
    }),
  );
}

/** The same for arguments: secret options, headers, variables, and secrets inside a text. */
export function takeFromArgs(vault: Vault, args: readonly string[]): string[] {
  return args.map((arg, index) => {
    const [, flag, value] = SECRET_FLAG.exec(arg) ?? [];
    const [, before, taken] = SECRET_FLAG.exec(args[index - 1] ?? '') ?? [];
    if (flag !== undefined && value !== undefined && !value.includes('${'))
      return `${flag}=${keep(vault, flag, value)}`;
    const follows = before !== undefined && taken === undefined && !arg.startsWith('-');
    if (follows && !arg.includes('${')) return keep(vault, before, arg);
    return takeFromPair(vault, arg) ?? takeFromText(vault, arg);
  });
}

/** `Authorization: Bearer …`, `--header=X-Api-Key:…` and `GITHUB_TOKEN=…` (as Docker's `-e` takes it). */
function takeFromPair(vault: Vault, arg: string): string | null {
  const [, option = '', name = '', mark = '', value = ''] =
    /^(--?[\w-]+=)?([A-Za-z][\w-]*)(\s*[:=]\s*)([^$]+)$/.exec(arg) ?? [];
  const scheme = SCHEME.exec(value)?.[0] ?? '';
  const isSecret = isSecretKey(name) || scheme !== '';
  if (name === '' || !isSecret || value.startsWith('//')) return null;
  return `${option}${name}${mark}${scheme}${keep(vault, name, value.slice(scheme.length))}`;
}

/** Secrets inside a URL, a connection string or any other text. */
export function takeFromText(vault: Vault, text: string): string {
  return text
    .replaceAll(
      /(\/\/[^/\s:@]*:)([^/\s@$]+)@/g,
      (_whole, before: string, password: string) => `${before}${keep(vault, 'password', password)}@`,
    )
    .replaceAll(
      SECRET_PAIR,
      (_whole, before: string, key: string, value: string) => `${before}${key}=${keep(vault, key, value)}`,
    )
    .replaceAll(
      /\b(Bearer|Basic)(\s+)([\w.~+/=-]{8,})/gi,
      (_whole, scheme: string, space: string, value: string) =>
        `${scheme}${space}${keep(vault, 'authorization', value)}`,
    )
    .replaceAll(KNOWN_KEY, (value) => keep(vault, 'key', value));
}

/** Keeps a name that is a free variable name; otherwise prefixes the server's name. */
function keep({ server, notes, secrets }: Vault, key: string, secret: string, isVariable = false): string {
  const isFree = (name: string): boolean => (secrets.get(name) ?? secret) === secret;
  const plain = upper(key);
  const base = isVariable && isFree(plain) ? plain : `${upper(server)}_${plain}`;
  let variable = base;
  for (let n = 2; !isFree(variable); n += 1) variable = `${base}_${n}`;
  secrets.set(variable, secret);
  notes.push(
    `a secret was not copied: set ${variable} in the environment of the hub, or with \`zoo secret set ${variable}\``,
  );
  return `\${${variable}}`;
}

const upper = (text: string): string =>
  text
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .toUpperCase()
    .replace(/^(?=\d)/, '_');
