/** Commands that a document shows, and what it says they print; null where it says nothing. */
export interface Step {
  commands: string;
  shown: string | null;
}

/** The `sh` blocks of a section, each with the `text` block that follows it. */
export function readSteps(markdown: string, heading: string): Step[] {
  const start = markdown.indexOf(`\n## ${heading}\n`);
  if (start < 0) throw new Error(`there is no section "${heading}"`);
  const end = markdown.indexOf('\n## ', start + 1);
  const section = markdown.slice(start, end < 0 ? undefined : end);
  const steps: Step[] = [];
  for (const [, language, content = ''] of section.matchAll(/^```(\w+)\n(.*?)^```$/gms)) {
    const last = steps.at(-1);
    if (language === 'sh') steps.push({ commands: content, shown: null });
    else if (language !== 'text')
      throw new Error(`a ${language} block in "${heading}" is not run by anybody`);
    else if (!last || last.shown !== null) throw new Error(`nothing prints this: ${content}`);
    else last.shown = content;
  }
  return steps;
}

/**
 * What a document shows against what was printed: null if they agree, or the line that was not printed. `…` stands
 * for the rest of a word or line, alone on a line for any lines. Space at the ends of lines and text is ignored.
 */
export function findUnprinted(shown: string, printed: string): string | null {
  const lines = linesOf(shown);
  const output = linesOf(printed);
  // The lines of the output that the lines so far may end before.
  let places = new Set([0]);
  for (const line of lines) {
    const next = new Set<number>();
    for (const at of places) {
      if (line.trim() === '…') for (let to = at; to <= output.length; to += 1) next.add(to);
      else if (at < output.length && patternOf(line).test(output[at] ?? '')) next.add(at + 1);
    }
    if (next.size === 0) return line;
    places = next;
  }
  return places.has(output.length) ? null : (output[Math.max(...places)] ?? '');
}

function linesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trimEnd());
  const first = lines.findIndex((line) => line !== '');
  return first < 0 ? [] : lines.slice(first, lines.findLastIndex((line) => line !== '') + 1);
}

function patternOf(line: string): RegExp {
  const literal = line.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${literal.join('.*')}$`);
}
