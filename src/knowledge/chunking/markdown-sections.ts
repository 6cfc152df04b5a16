import type { SyntaxNode } from '@lezer/common';
import { parser, Table } from '@lezer/markdown';
import { plainHeading } from '../extraction/document-title.ts';
import { frontMatterLength } from '../extraction/front-matter.ts';
import { blocksBetween, lineStartOf, type Parts, type Section } from './section.ts';

/** Only blocks matter here; parsing inline markup would take most of the time. */
const blocks = parser.configure([
  Table,
  {
    remove: [
      'Escape',
      'Entity',
      'InlineCode',
      'HTMLTag',
      'Emphasis',
      'HardBreak',
      'Link',
      'Image',
      'LinkEnd',
    ],
  },
]);

interface Heading {
  depth: number;
  text: string;
}

/** A section per heading, with the headings above it. A heading without text of its own joins the next section. */
export function markdownSections(text: string): Section[] {
  const start = frontMatterLength(text);
  const body = start > 0 ? text.slice(start) : text;
  const sections: Section[] = [];
  const path: Heading[] = [];
  let from = 0;
  let starts: Start[] = start > 0 ? [{ at: 0 }] : [];
  let hasText = false;

  const close = (to: number) => {
    if (from < to) {
      sections.push({
        headings: path.map((heading) => heading.text),
        blocks: blocksBetween(text, starts, from, to),
        from,
        to,
        overlaps: true,
      });
    }
    from = to;
    starts = [];
    hasText = false;
  };

  for (let node = blocks.parse(body).topNode.firstChild; node; node = node.nextSibling) {
    const heading = headingOf(node, body);
    const at = start + node.from;
    if (heading) {
      const deeper = heading.depth > (path.at(-1)?.depth ?? 0);
      if (hasText || !deeper) close(Math.max(from, lineStartOf(text, at)));
      while ((path.at(-1)?.depth ?? 0) >= heading.depth) path.pop();
      path.push(heading);
    } else {
      hasText = true;
    }
    starts.push({ at, ...partsOf(node, start, text) });
  }
  close(text.length);
  return sections;
}

interface Start {
  at: number;
  parts?: Parts;
}

/** Splits lists into items, and items and quotes into their blocks. Other blocks are split by line. */
function partsOf(node: SyntaxNode, offset: number, text: string): { parts?: Parts } {
  if (!/^(BulletList|OrderedList|ListItem|Blockquote)$/.test(node.name)) return {};
  return {
    parts(from, to) {
      const starts: Start[] = [];
      for (let child = node.firstChild; child; child = child.nextSibling) {
        if (child.name.endsWith('Mark')) continue;
        starts.push({ at: offset + child.from, ...partsOf(child, offset, text) });
      }
      return blocksBetween(text, starts, from, to);
    },
  };
}

function headingOf(node: SyntaxNode, text: string): Heading | null {
  const [, kind, depth] = /^(ATX|Setext)Heading(\d)$/.exec(node.name) ?? [];
  if (kind === undefined) return null;
  const written = text.slice(node.from, node.to);
  const inner = kind === 'ATX' ? written.replace(/^#+/, '') : written.slice(0, written.lastIndexOf('\n'));
  return { depth: Number(depth), text: plainHeading(inner) };
}
