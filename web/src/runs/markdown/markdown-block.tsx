import type { Token, Tokens } from 'marked';
import { CopyButton } from '../../kit/copyable.tsx';
import { ScrollText } from '../scroll-text.tsx';
import { Formula } from './formula.tsx';
import { Inline } from './markdown-inline.tsx';
import { isKnown } from './read-blocks.ts';

const headings = ['text-xl', 'text-lg', 'text-base', 'text-base', 'text-base', 'text-base'];

export function MarkdownBlock({ token }: { token: Token }) {
  if (!isKnown(token)) return token.raw;
  switch (token.type) {
    case 'heading':
      return (
        // The page has headings of its own: those of a text are below all of them.
        <p
          role="heading"
          aria-level={Math.min(6, token.depth + 2)}
          className={`mt-1 font-serif ${headings[token.depth - 1] ?? 'text-base'}`}
        >
          <Inline tokens={token.tokens} />
        </p>
      );
    case 'paragraph':
      return (
        <p className="break-words">
          <Inline tokens={token.tokens} />
        </p>
      );
    case 'text':
      return token.tokens ? <Inline tokens={token.tokens} /> : token.text;
    case 'code':
      return <Code token={token} />;
    case 'blockquote':
      return (
        <blockquote className="grid gap-2 border-l-2 border-line-strong pl-4 text-soft">
          <BlockList tokens={token.tokens} />
        </blockquote>
      );
    case 'list':
      return <List token={token} />;
    case 'table':
      return <Table token={token} />;
    case 'hr':
      return <hr className="border-line" />;
    case 'html':
      return <p className="break-words whitespace-pre-wrap">{token.text}</p>;
    case 'maths':
      return <Formula token={token} />;
    case 'space':
    case 'def':
    case 'checkbox':
      return null;
    case 'br':
    case 'codespan':
    case 'del':
    case 'em':
    case 'escape':
    case 'image':
    case 'link':
    case 'list_item':
    case 'strong':
    default:
      return <Inline tokens={[token]} />;
  }
}

function BlockList({ tokens }: { tokens: readonly Token[] }) {
  return tokens.map((token, index) => <MarkdownBlock key={index} token={token} />);
}

function Code({ token: { lang = '', text } }: { token: Tokens.Code }) {
  const language = lang.split(/\s/)[0] ?? '';
  return (
    <div className="min-w-0 overflow-hidden rounded-md border border-line bg-wash">
      <div className="flex h-7 items-center justify-between gap-3 border-b border-line pr-1 pl-3 text-xs text-soft">
        <span className="font-mono">{language === '' ? 'text' : language}</span>
        <CopyButton text={text} what="the code" />
      </div>
      <ScrollText text={text} className="px-3 py-2.5" />
    </div>
  );
}

function List({ token }: { token: Tokens.List }) {
  const items = token.items.map((item, index) => (
    <li key={index} className={item.task ? 'flex items-baseline gap-2' : ''}>
      {item.task ? (
        <input type="checkbox" checked={item.checked ?? false} disabled readOnly aria-label="Done" />
      ) : null}
      <div className="grid min-w-0 gap-1.5 break-words [&>p]:m-0">
        <ItemBlocks tokens={item.tokens} />
      </div>
    </li>
  ));
  return token.ordered ? (
    <ol
      start={token.start === '' ? 1 : token.start}
      className="grid list-decimal gap-1 pl-6 marker:text-faint"
    >
      {items}
    </ol>
  ) : (
    <ul
      className={`grid gap-1 ${token.items.some(({ task }) => task) ? '' : 'list-disc pl-6 marker:text-faint'}`}
    >
      {items}
    </ul>
  );
}

/** Texts of tight lists are blocks of their own here, beside nested lists. */
function ItemBlocks({ tokens }: { tokens: readonly Token[] }) {
  return tokens.map((token, index) =>
    token.type === 'checkbox' ? null : (
      <div key={index} className="min-w-0">
        <MarkdownBlock token={token} />
      </div>
    ),
  );
}

function Table({ token }: { token: Tokens.Table }) {
  return (
    // oxlint-disable-next-line no-noninteractive-tabindex -- a region that scrolls has to be reached by keyboard
    <div tabIndex={0} role="region" aria-label="Table" className="min-w-0 overflow-x-auto">
      <table className="text-sm">
        <thead>
          <tr className="border-b border-line-strong">
            {token.header.map((cell, index) => (
              <th key={index} scope="col" className={`py-1.5 pr-5 font-medium ${aligned(cell.align)}`}>
                <Inline tokens={cell.tokens} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {token.rows.map((row, at) => (
            <tr key={at} className="border-b border-line">
              {row.map((cell, index) => (
                <td
                  key={index}
                  className={`py-1.5 pr-5 align-top tabular ${aligned(cell.align)} ${sized(cell.text)}`}
                >
                  <Inline tokens={cell.tokens} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const aligned = (align: Tokens.TableCell['align']): string =>
  align === 'right' ? 'text-right' : align === 'center' ? 'text-center' : 'text-left';

/** Units and names stay on one line; sentences keep a readable width on narrow screens, where the table scrolls. */
const sized = (text: string): string =>
  text.length <= 20 ? 'whitespace-nowrap' : text.length > 40 ? 'min-w-48' : '';
