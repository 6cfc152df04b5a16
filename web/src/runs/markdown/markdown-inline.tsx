import type { Token } from 'marked';
import type { ReactNode } from 'react';
import { Formula } from './formula.tsx';
import { isKnown } from './read-blocks.ts';

/** Addresses that a reader may follow; anything else stays text. */
const SAFE = /^(https?:|mailto:)/i;

/** Text inside of a block. */
export function Inline({ tokens }: { tokens: readonly Token[] }): ReactNode {
  return tokens.map((token, index) => <InlineToken key={index} token={token} />);
}

function InlineToken({ token }: { token: Token }): ReactNode {
  if (!isKnown(token)) return token.raw;
  switch (token.type) {
    case 'strong':
      return (
        <strong className="font-semibold">
          <Inline tokens={token.tokens} />
        </strong>
      );
    case 'em':
      return (
        <em>
          <Inline tokens={token.tokens} />
        </em>
      );
    case 'del':
      return (
        <del>
          <Inline tokens={token.tokens} />
        </del>
      );
    case 'codespan':
      return <code className="rounded-sm bg-wash px-1 py-0.5 font-mono text-[0.875em]">{token.text}</code>;
    case 'br':
      return <br />;
    case 'link':
      return (
        <Address href={token.href}>
          <Inline tokens={token.tokens} />
        </Address>
      );
    case 'image':
      // An image would tell its server that, and by whom, this was read.
      return <Address href={token.href}>{`Image: ${token.text === '' ? token.href : token.text}`}</Address>;
    case 'maths':
      return <Formula token={token} />;
    case 'text':
      return token.tokens ? <Inline tokens={token.tokens} /> : token.text;
    case 'blockquote':
    case 'checkbox':
    case 'code':
    case 'def':
    case 'escape':
    case 'heading':
    case 'hr':
    case 'html':
    case 'list':
    case 'list_item':
    case 'paragraph':
    case 'space':
    case 'table':
    default:
      // Escapes, HTML and whatever else: as text.
      return 'text' in token && typeof token.text === 'string' ? token.text : token.raw;
  }
}

function Address({ href, children }: { href: string; children: ReactNode }) {
  if (!SAFE.test(href)) return children;
  return (
    <a
      href={href}
      title={href}
      target="_blank"
      rel="noopener noreferrer"
      className="text-leaf-strong underline underline-offset-3"
    >
      {children}
    </a>
  );
}
