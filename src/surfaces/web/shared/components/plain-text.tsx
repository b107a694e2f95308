import { Fragment } from 'preact';
import { type Block, type Inline, toBlocks, toInline } from '../inline-marks.js';

/**
 * Text of a person or of a model: paragraphs, line breaks and simple lists, made as nodes; never HTML.
 * @param hosts where links may lead to. Given for the words of operators and of the hub, whose marks (bold, italics,
 *   code) and links are shown as such; left out for a customer's, which stay as they were typed
 */
export function PlainText({ text, hosts }: { readonly text: string; readonly hosts?: readonly string[] }) {
  return (
    <div class="plain" dir="auto">
      {toBlocks(text).map((block, at) => (
        <PlainBlock key={at} block={block} hosts={hosts} />
      ))}
    </div>
  );
}

type Hosts = readonly string[] | undefined;

function PlainBlock({ block, hosts }: { readonly block: Block; readonly hosts: Hosts }) {
  if (block.type === 'paragraph') {
    return (
      <p dir="auto">
        <Words lines={block.lines} hosts={hosts} />
      </p>
    );
  }
  const items = block.items.map((lines, at) => (
    <li key={at} dir="auto">
      <Words lines={lines} hosts={hosts} />
    </li>
  ));
  return block.type === 'numbers' ? <ol start={block.start}>{items}</ol> : <ul>{items}</ul>;
}

function Words({ lines, hosts }: { readonly lines: readonly string[]; readonly hosts: Hosts }) {
  const text = lines.join('\n');
  return <Parts parts={hosts === undefined ? [{ type: 'text', text }] : toInline(text, hosts)} />;
}

function Parts({ parts }: { readonly parts: readonly Inline[] }) {
  return (
    <>
      {parts.map((part, at) => (
        <Part key={at} part={part} />
      ))}
    </>
  );
}

function Part({ part }: { readonly part: Inline }) {
  switch (part.type) {
    case 'text':
      return <Lines text={part.text} />;
    case 'code':
      return <code>{part.text}</code>;
    case 'strong':
      return (
        <strong>
          <Parts parts={part.parts} />
        </strong>
      );
    case 'emphasis':
      return (
        <em>
          <Parts parts={part.parts} />
        </em>
      );
    case 'link':
      return (
        <a href={part.url} target="_blank" rel="noopener noreferrer nofollow">
          <Parts parts={part.parts} />
        </a>
      );
  }
}

function Lines({ text }: { readonly text: string }) {
  return (
    <>
      {text.split('\n').map((line, at) => (
        <Fragment key={at}>
          {at > 0 && <br />}
          {line}
        </Fragment>
      ))}
    </>
  );
}
