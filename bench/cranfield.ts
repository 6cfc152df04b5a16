import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Judged {
  documents: { id: string; title: string; text: string }[];
  queries: { id: string; text: string; relevant: ReadonlySet<string>; judged: ReadonlySet<string> }[];
}

/** The Cranfield collection as it is passed around: `cran.all.1400`, `cran.qry` and `cranqrel` in one folder. */
export function loadCranfield(folder: string): Judged {
  const read = (name: string) => readFileSync(join(folder, name), 'latin1').replaceAll('\r\n', '\n');
  const relevant = new Map<string, Set<string>>();
  const all = new Map<string, Set<string>>();
  for (const line of read('cranqrel').split('\n')) {
    const [query, document, grade] = line.trim().split(/\s+/);
    if (query === undefined || document === undefined) continue;
    all.set(query, (all.get(query) ?? new Set()).add(document));
    const judged = Number(grade);
    if (judged >= 1 && judged <= 4) relevant.set(query, (relevant.get(query) ?? new Set()).add(document));
  }
  return {
    documents: records(read('cran.all.1400')).map(({ id, fields }) => ({
      id,
      title: flat(fields['T'] ?? ''),
      text: fields['W']?.trim() ?? '',
    })),
    // The judgements number the queries by their order, not by the numbers in the file.
    queries: records(read('cran.qry')).map(({ fields }, at) => ({
      id: String(at + 1),
      text: flat(fields['W'] ?? ''),
      relevant: relevant.get(String(at + 1)) ?? new Set(),
      judged: all.get(String(at + 1)) ?? new Set(),
    })),
  };
}

function records(text: string) {
  return text
    .split(/^\.I /m)
    .slice(1)
    .map((record) => {
      const [id = '', ...parts] = record.split(/^\.([TABW])\n/m);
      const fields: Record<string, string> = {};
      for (let at = 0; at + 1 < parts.length; at += 2) fields[parts[at]!] = parts[at + 1]!;
      return { id: id.trim(), fields };
    });
}

const flat = (text: string) => text.replace(/\s+/g, ' ').trim();
