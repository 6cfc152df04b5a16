import type { Element, ElementContent, Nodes, Root, RootContent } from 'hast';
import type { ConvertedDocument } from './converted-document.ts';

/** Elements that are not part of the content. */
const dropped = new Set(
  'script style noscript template svg canvas iframe object embed nav footer aside form button dialog'.split(
    ' ',
  ),
);

/** The content of a page, without navigation and other boilerplate. */
export async function htmlToMarkdown(html: string): Promise<ConvertedDocument> {
  const [{ fromHtml }, { toMdast }, { toMarkdown }, { gfmToMarkdown }] = await Promise.all([
    import('hast-util-from-html'),
    import('hast-util-to-mdast'),
    import('mdast-util-to-markdown'),
    import('mdast-util-gfm'),
  ]);
  const tree = fromHtml(html);
  refuseMany(tree);
  const title = find(tree, ({ tagName }) => tagName === 'title');
  const description = find(
    tree,
    ({ tagName, properties }) => tagName === 'meta' && properties.name === 'description',
  )?.properties.content;
  const main =
    find(tree, ({ tagName, properties }) => tagName === 'main' || properties.role === 'main') ??
    onlyElement(tree, 'article') ??
    find(tree, ({ tagName }) => tagName === 'body') ??
    tree;
  const content: Root = { type: 'root', children: main.children.flatMap(keep) };
  const markdown = toMarkdown(toMdast(content), { extensions: [gfmToMarkdown()], bullet: '-' });
  return {
    title: title ? textOf(title) || null : null,
    description: typeof description === 'string' ? description : null,
    markdown,
  };
}

const MOST_ELEMENTS = 200_000;

function refuseMany(tree: Root): void {
  let count = 0;
  find(tree, () => ++count > MOST_ELEMENTS);
  if (count > MOST_ELEMENTS) throw new Error(`it has more than ${MOST_ELEMENTS} elements`);
}

/** The first match in document order. */
function find(node: Root | Element, matches: (element: Element) => boolean): Element | null {
  const pending: Nodes[] = node.children.toReversed();
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (next.type !== 'element') continue;
    if (matches(next)) return next;
    for (const child of next.children.toReversed()) pending.push(child);
  }
  return null;
}

/** Null if there are several elements of this name: none of them is the main content then. */
function onlyElement(tree: Root, name: string): Element | null {
  let first: Element | null = null;
  const second = find(tree, (element) => {
    if (element.tagName !== name) return false;
    if (first) return true;
    first = element;
    return false;
  });
  return second ? null : first;
}

function keep(node: RootContent): ElementContent[] {
  if (node.type === 'comment' || node.type === 'doctype') return [];
  if (node.type !== 'element') return [node];
  if (dropped.has(node.tagName) || node.properties.ariaHidden === 'true' || isInlineImage(node)) return [];
  return [{ ...node, children: node.children.flatMap((child) => keep(child)) }];
}

function isInlineImage({ tagName, properties }: Element): boolean {
  return tagName === 'img' && String(properties.src ?? '').startsWith('data:');
}

function textOf(node: Element): string {
  return node.children
    .map((child) => (child.type === 'text' ? child.value : child.type === 'element' ? textOf(child) : ''))
    .join('')
    .replace(/\s+/g, ' ')
    .trim();
}
