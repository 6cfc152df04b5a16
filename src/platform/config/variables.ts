import { Config, VARIABLE_FIELDS } from '../../contract/config.ts';
import type { Diagnostic } from '../../contract/diagnostic.ts';
import { renderPath } from '../../contract/parsing/issue-words.ts';
import type { KeyPath } from '../../contract/parsing/known-keys.ts';
import type { LineOf } from './config-lines.ts';
import { diagnose } from './diagnose.ts';
import type { Environment } from '../home/paths.ts';

const reference = /(\$?)\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

export function variablesIn(text: string): string[] {
  return [...text.matchAll(reference)].flatMap(([, escape, name]) => (escape || !name ? [] : [name]));
}

/** A reference to a variable that is not set. The entry that contains it must not be used. */
export interface UnsetVariable {
  path: KeyPath;
  /** Names the variable, where it is needed, and how to set it. */
  reason: string;
}

/** Why the entry at this path of a config cannot be used; null if nothing is missing. */
export function unsetUnder(unset: readonly UnsetVariable[], path: KeyPath): string | null {
  return unset.find((each) => path.every((key, index) => each.path[index] === key))?.reason ?? null;
}

/**
 * The config with `${VAR}` filled in, in connection and secret fields only; `$${VAR}` stands for the text itself.
 * Use the result only for trusted configs: the values are the user's, and the config decides where they go.
 */
export function expandVariables(
  config: Config,
  env: Environment,
  { file, lineOf }: { file: string | null; lineOf: LineOf },
): { config: Config; diagnostics: Diagnostic[]; unset: UnsetVariable[] } {
  const diagnostics: Diagnostic[] = [];
  const unset: UnsetVariable[] = [];
  // Most configs refer to none, and parsing again would slow down every command.
  if (JSON.stringify(config).search(reference) < 0) return { config, diagnostics, unset };

  const expandText = (text: string, path: KeyPath) =>
    text.replace(reference, (whole, escape: string, name: string) => {
      if (escape) return whole.slice(1);
      const value = env[name];
      if (value !== undefined) return value;
      const message = `${renderPath(path)} needs the variable ${name}, which is not set`;
      const line = lineOf(path);
      const place = file === null ? '' : ` (${file}${line === null ? '' : `:${line}`})`;
      unset.push({ path, reason: `${message}${place}. ${setIt(name)}` });
      diagnostics.push(
        diagnose('warning', 'unset-variable', message, {
          file,
          line,
          hint: `${setIt(name)}; until then this is not used. Write \`$\${${name}}\` for the literal text.`,
          agentId: path[0] === 'agents' ? String(path[2]) : null,
        }),
      );
      return whole;
    });

  const expand = (value: unknown, path: KeyPath): unknown => {
    if (typeof value === 'string') return isVariableField(path) ? expandText(value, path) : value;
    if (Array.isArray(value)) return value.map((item, index) => expand(item, [...path, index]));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, expand(item, [...path, key])]),
    );
  };

  return { config: Config.parse(expand(config, []), { jitless: true }), diagnostics, unset };
}

const setIt = (name: string): string =>
  `Set ${name} with \`zoo secret set ${name}\`, in a .env beside the config, or in the hub's environment`;

/** Fills in variables in a text; unset ones are left as they are. */
export const fillVariables = (text: string, env: Environment): string =>
  text.replace(reference, (whole, escape: string, name: string) =>
    escape ? whole.slice(1) : (env[name] ?? whole),
  );

const fields = VARIABLE_FIELDS.map((field) => field.split('.'));

/** Whether `${VAR}` is filled in there. */
export function isVariableField(path: KeyPath): boolean {
  return fields.some((field) => {
    const open = field.at(-1) === '**';
    const fixed = open ? field.slice(0, -1) : field;
    if (open ? path.length <= fixed.length : path.length !== fixed.length) return false;
    return fixed.every((part, index) => part === '*' || part === path[index]);
  });
}
