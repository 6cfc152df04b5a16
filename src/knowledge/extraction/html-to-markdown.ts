import type { Element, Nodes, Root, RootContent } from 'hast';

/** Nothing of what a page says is in these. */
const dropped = new Set(
  'script style noscript template svg canvas iframe object embed nav footer aside form button dialog'.split(
    ' ',
  ),
);

export interface HtmlPage {
  title: string | null;
  description: string | null;
  markdown: string;
}

/** What a page says, without what surrounds it on every other page of its site. */
export async function htmlToMarkdown(html: string): Promise<HtmlPage> {
  const [{ fromHtml }, { toMdast }, { toMarkdown }, { gfmToMarkdown }] = await Promise.all([
    import('hast-util-from-html'),
    import('hast-util-to-mdast'),
    import('mdast-util-to-markdown'),
    import('mdast-util-gfm'),
  ]);
  const tree = fromHtml(html);
  const title = find(tree, ({ tagName }) => tagName === 'title');
  const description = find(
    tree,
    ({ tagName, properties }) => tagName === 'meta' && properties.name === 'description',
  );
  const main =
    find(tree, ({ tagName, properties }) => tagName === 'main' || properties.role === 'main') ??
    only(tree, 'article') ??
    find(tree, ({ tagName }) => tagName === 'body') ??
    tree;
  const content: Root = { type: 'root', children: main.children.flatMap(keep) };
  const markdown = toMarkdown(toMdast(content), { extensions: [gfmToMarkdown()], bullet: '-' });
  const said = description?.properties.content;
  return {
    title: title ? textOf(title) || null : null,
    description: typeof said === 'string' ? said : null,
    markdown,
  };
}

function find(node: Root | Element, wanted: (element: Element) => boolean): Element | null {
  const pending: Nodes[] = [...node.children].toReversed();
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (next.type !== 'element') continue;
    if (wanted(next)) return next;
    pending.push(...next.children.toReversed());
  }
  return null;
}

/** The one element with this name; null where there are several: none of them is the page then. */
function only(tree: Root, name: string): Element | null {
  let found = 0;
  const first = find(tree, ({ tagName }) => {
    if (tagName === name) found++;
    return found > 1;
  });
  return first || found === 0 ? null : find(tree, ({ tagName }) => tagName === name);
}

function keep(node: RootContent): RootContent[] {
  if (node.type === 'comment' || node.type === 'doctype') return [];
  if (node.type !== 'element') return [node];
  if (dropped.has(node.tagName) || node.properties.ariaHidden === 'true' || isInlineImage(node)) return [];
  const children = node.children.flatMap((child) => keep(child)).filter(isElementContent);
  return [{ ...node, children }];
}

function isInlineImage({ tagName, properties }: Element): boolean {
  return tagName === 'img' && String(properties.src ?? '').startsWith('data:');
}

function isElementContent(node: RootContent): node is Element['children'][number] {
  return node.type !== 'doctype';
}

function textOf(node: Element): string {
  return node.children
    .map((child) => (child.type === 'text' ? child.value : child.type === 'element' ? textOf(child) : ''))
    .join('')
    .replace(/\s+/g, ' ')
    .trim();
}
