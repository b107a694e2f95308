import { type Block, toBlocks } from '../plain-blocks.js';

/** Text of a person or of a model: paragraphs, line breaks and simple lists, made as nodes; never HTML. */
export function PlainText({ text }: { readonly text: string }) {
  return (
    <div class="plain" dir="auto">
      {toBlocks(text).map((block, at) => (
        <PlainBlock key={at} block={block} />
      ))}
    </div>
  );
}

function PlainBlock({ block }: { readonly block: Block }) {
  if (block.type === 'paragraph') return <p dir="auto">{withBreaks(block.lines)}</p>;
  const items = block.items.map((lines, at) => (
    <li key={at} dir="auto">
      {withBreaks(lines)}
    </li>
  ));
  return block.type === 'numbers' ? <ol start={block.start}>{items}</ol> : <ul>{items}</ul>;
}

function withBreaks(lines: readonly string[]) {
  return lines.flatMap((line, at) => (at === 0 ? [line] : [<br key={at} />, line]));
}
