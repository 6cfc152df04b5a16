import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Documents, questions, and which of the ones answer which of the others. */
export interface Judged {
  documents: { id: string; title: string; text: string }[];
  /** Those that somebody has judged. */
  queries: { id: string; text: string }[];
  /** Ways of reading the judgements; the first is the one to quote. */
  readings: { title: string; relevant: Relevant }[];
}

export type Relevant = ReadonlyMap<string, ReadonlySet<string>>;

/** A collection in one folder, in one of the two forms in which they are passed around. */
export function loadCollection(folder: string): Judged {
  return existsSync(join(folder, 'corpus.jsonl')) ? loadBeir(folder) : loadSmart(folder);
}

/** BEIR: `corpus.jsonl`, `queries.jsonl`, `qrels/test.tsv`. */
function loadBeir(folder: string): Judged {
  const lines = (...path: string[]) =>
    readFileSync(join(folder, ...path), 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '');
  const judgements = lines('qrels', 'test.tsv')
    .map((line) => line.split('\t'))
    .map(([query = '', document = '', grade = '1']) => ({ query, document, grade: Number(grade) }))
    // The first line names the columns.
    .filter(({ grade }) => !Number.isNaN(grade));
  const texts = (name: string) =>
    lines(name).map((line) => JSON.parse(line) as { _id: string; title?: string; text: string });
  return judged({
    documents: texts('corpus.jsonl').map(({ _id: id, title = '', text }) => ({ id, title, text })),
    queries: texts('queries.jsonl').map(({ _id: id, text }) => ({ id, text })),
    readings: [
      {
        title: 'a grade above 0 is relevant',
        relevant: pairsOf(judgements.filter(({ grade }) => grade > 0)),
      },
    ],
  });
}

/** SMART: texts in `*.all*`, questions in `*.qry`, judgements in `*.rel` or `*qrel*`, in capitals or not. */
function loadSmart(folder: string): Judged {
  const names = readdirSync(folder).filter((name) => !/readme/i.test(name));
  const read = (what: string, form: RegExp) => {
    const name = names.find((name) => form.test(name));
    if (name === undefined) {
      throw new Error(
        `${folder} has no ${what}: a collection is corpus.jsonl, queries.jsonl and qrels/test.tsv, or *.all, *.qry and *.rel (or *qrel*)`,
      );
    }
    return readFileSync(join(folder, name), 'latin1').replaceAll('\r\n', '\n');
  };
  const documents = records(read('texts', /\.all/i)).map(({ id, fields }) => ({
    id,
    title: flat(fields['T'] ?? ''),
    text: fields['W']?.trim() ?? '',
  }));
  const { judgements, graded } = readJudgements(read('judgements', /qrel|\.rel$/i));
  const questions = records(read('questions', /\.qry|^query\.text$/i));
  const numbers = new Set(questions.map(({ id }) => id));
  // Cranfield's judgements number the questions by their order, and not by the numbers in the file.
  const byOrder = judgements.some(({ query }) => !numbers.has(query));
  const queries = questions.map(({ id, fields }, at) => ({
    id: byOrder ? String(at + 1) : id,
    // Some questions of CISI begin with a title.
    text: flat(`${fields['T'] ?? ''} ${fields['W'] ?? ''}`),
  }));
  const all = { title: 'all listed pairs are relevant', relevant: pairsOf(judgements) };
  if (!graded) return judged({ documents, queries, readings: [all] });
  const coded = judgements.filter(({ grade }) => grade >= 1 && grade <= 4);
  return judged({
    documents,
    queries,
    readings: [
      {
        ...all,
        title:
          'all listed pairs: every pair in the judgements is relevant, as their readme says; the goal of 0.56 is for this table',
      },
      {
        title: 'codes 1–4 only: the one pair of each query with the code -1 counts as not relevant',
        relevant: pairsOf(coded),
      },
    ],
  });
}

interface Judgement {
  query: string;
  document: string;
  grade: number;
}

/**
 * Three forms are around: query, document, code (Cranfield); query, document, 0, 0 (CISI, CACM), where all that is
 * listed is relevant; query, 0, document, grade (MED, and TREC).
 */
function readJudgements(text: string): { judgements: Judgement[]; graded: boolean } {
  const rows = text
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter((columns) => columns.length >= 2);
  const trec = rows.every((columns) => columns.length >= 4 && /^(?:0|Q0)$/i.test(columns[1] ?? ''));
  const codes = rows.every((columns) => columns.length === 3);
  const judgements = rows
    .map((columns) => ({
      query: numberOf(columns[0]),
      document: numberOf(columns[trec ? 2 : 1]),
      grade: trec ? Number(columns[3]) : codes ? Number(columns[2]) : 1,
    }))
    .filter(({ grade }) => !trec || grade > 0);
  return { judgements, graded: codes };
}

function records(text: string): { id: string; fields: Record<string, string> }[] {
  return text
    .split(/^\.I\s+/m)
    .slice(1)
    .map((record) => {
      const [id = '', ...parts] = record.split(/^\.([A-Z])[ \t]*\n/m);
      const fields: Record<string, string> = {};
      for (let at = 0; at + 1 < parts.length; at += 2) {
        const name = parts[at] ?? '';
        fields[name] = `${fields[name] ?? ''}${parts[at + 1] ?? ''}`;
      }
      return { id: numberOf(id), fields };
    });
}

/** A question that nobody has judged says nothing. */
function judged(collection: Judged): Judged {
  const known = collection.readings[0]?.relevant;
  return { ...collection, queries: collection.queries.filter(({ id }) => known?.has(id)) };
}

function pairsOf(judgements: readonly Pick<Judgement, 'query' | 'document'>[]): Relevant {
  const pairs = new Map<string, Set<string>>();
  for (const { query, document } of judgements) {
    pairs.set(query, (pairs.get(query) ?? new Set()).add(document));
  }
  return pairs;
}

/** Some write 01 where others write 1. */
const numberOf = (text: string | undefined): string => (text ?? '').trim().replace(/^0+(?=\d)/, '');

const flat = (text: string) => text.replace(/\s+/g, ' ').trim();
