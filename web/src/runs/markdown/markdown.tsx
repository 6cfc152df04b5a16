import type { Token } from 'marked';
import { memo, useEffect, useState } from 'react';
import { MarkdownBlock } from './markdown-block.tsx';
import { NO_BLOCKS, readBlocks } from './read-blocks.ts';

/** Blocks that are drawn, or skipped while they are off the screen, together. */
const SECTION = 16;

/**
 * Text of a model. It is inert: HTML is shown as text, and nothing outside of this hub is loaded. While it streams in,
 * only its last section is laid out and painted again.
 */
export const Markdown = memo(function Markdown({ text }: { text: string }) {
  const [blocks, setBlocks] = useState(() => readBlocks(text, NO_BLOCKS));
  const now = readBlocks(text, blocks);
  if (now !== blocks) setBlocks(now);
  const sections = Math.ceil(now.tokens.length / SECTION);
  return (
    <div className="grid grid-cols-1 gap-3 text-base">
      {Array.from({ length: sections }, (_, index) => (
        <Section
          key={index}
          tokens={now.tokens.slice(index * SECTION, (index + 1) * SECTION)}
          isLast={index === sections - 1}
        />
      ))}
    </div>
  );
});

interface SectionProps {
  tokens: readonly Token[];
  isLast: boolean;
}

const Section = memo(function Section({ tokens, isLast }: SectionProps) {
  const isSkipped = useDrawnOnce(!isLast);
  return (
    <div
      className={`grid grid-cols-1 gap-3 [contain-intrinsic-block-size:auto_40rem] ${isSkipped ? '[content-visibility:auto] [overflow-clip-margin:4px]' : ''}`}
    >
      {tokens.map((token, index) => (
        <Block key={index} token={token} />
      ))}
    </div>
  );
}, isSameSection);

function isSameSection(a: SectionProps, b: SectionProps): boolean {
  if (a.isLast !== b.isLast || a.tokens.length !== b.tokens.length) return false;
  return a.tokens.every((token, index) => token === b.tokens[index]);
}

/** Blocks before the last ones keep their token while text streams in, and are not drawn again. */
const Block = memo(function Block({ token }: { token: Token }) {
  return <MarkdownBlock token={token} />;
});

/** Whether it was on the page for a frame: browsers remember the size of what they have drawn, and guess otherwise. */
function useDrawnOnce(isWanted: boolean): boolean {
  const [isDrawn, setDrawn] = useState(false);
  useEffect(() => {
    if (!isWanted) return undefined;
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => setDrawn(true));
    });
    return () => cancelAnimationFrame(frame);
  }, [isWanted]);
  return isWanted && isDrawn;
}
