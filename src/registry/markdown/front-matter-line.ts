import { BEFORE_YAML, splitFrontMatter } from '../../platform/files/front-matter.ts';

/** The line of a list item in the front matter of a Markdown file, or of the field if the item is not found. */
export async function frontMatterLine(text: string, field: string, index: number): Promise<number | null> {
  const parts = splitFrontMatter(text);
  if (!parts) return null;
  const { isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } =
    await import('../../platform/files/yaml.ts');
  const counter = new LineCounter();
  const { contents } = parseDocument(parts.yaml, { lineCounter: counter, prettyErrors: false });
  if (!isMap(contents)) return null;
  const pair = contents.items.find(({ key }) => isScalar(key) && String(key.value) === field);
  if (!pair) return null;
  const item = isSeq(pair.value) ? pair.value.items[index] : undefined;
  const node = isNode(item) ? item : isScalar(pair.key) ? pair.key : null;
  const offset = node?.range?.[0];
  return offset === undefined ? null : counter.linePos(offset).line + BEFORE_YAML;
}
