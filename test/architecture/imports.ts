/** Text by path, relative to the project, with forward slashes. */
export type Tree = Readonly<Record<string, string>>;

export interface Import {
  specifier: string;
  line: number;
}

const statement = /^(?:import|export)\s(?:[^'"`;]*?\sfrom\s*)?['"]([^'"\n]+)['"]/gm;
const expression = /\bimport\(\s*['"]([^'"\n]+)['"]/g;
const inComment = /^\s*(?:\/\/|\*)/;

/** What a module names in its imports and re-exports, those of types and the lazy ones among them. */
export function importsOf(text: string): Import[] {
  return [...text.matchAll(statement), ...text.matchAll(expression)].flatMap((match) => {
    const before = text.slice(0, match.index + match[0].length).split('\n');
    return inComment.test(before.at(-1) ?? '') ? [] : [{ specifier: match[1] ?? '', line: before.length }];
  });
}
