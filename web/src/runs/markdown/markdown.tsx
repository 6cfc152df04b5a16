import type { Token } from 'marked';
import { memo, useState } from 'react';
import { MarkdownBlock } from './markdown-block.tsx';
import { NO_BLOCKS, readBlocks } from './read-blocks.ts';

/** Text of a model. It is inert: HTML is shown as text, and nothing outside of this hub is loaded. */
export const Markdown = memo(function Markdown({ text }: { text: string }) {
  const [blocks, setBlocks] = useState(() => readBlocks(text, NO_BLOCKS));
  const now = readBlocks(text, blocks);
  if (now !== blocks) setBlocks(now);
  return (
    <div className="grid grid-cols-1 gap-3 text-base">
      {now.tokens.map((token, index) => (
        <Block key={index} token={token} />
      ))}
    </div>
  );
});

/** Blocks before the last ones keep their token while text streams in, and are not drawn again. */
const Block = memo(function Block({ token }: { token: Token }) {
  return <MarkdownBlock token={token} />;
});
