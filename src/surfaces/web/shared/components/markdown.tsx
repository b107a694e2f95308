import type { Nodes, Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { type ComponentChildren, Fragment } from 'preact';
import { useMemo } from 'preact/hooks';
import { wholeAmounts } from '../format.js';
import { type Block, type Inline, safeUrl, toBlocks, toInline } from '../inline-marks.js';

/**
 * An article as nodes. HTML in it is shown as the text it is; links and images that do not lead to one of the hosts by
 * https become plain text.
 */
export function Markdown({
  text,
  linkHosts,
  topLevel = 3,
}: {
  readonly text: string;
  readonly linkHosts: readonly string[];
  /** The level that a first-level heading of the text has on the page. */
  readonly topLevel?: 2 | 3 | 4;
}) {
  const tree = useMemo(() => parse(text), [text]);
  return (
    <div class="prose" dir="auto">
      {tree.children.map((node, at) => (
        <Node key={at} node={node} hosts={linkHosts} top={topLevel} />
      ))}
    </div>
  );
}

/** A parser that gives up on a monstrous text must not take the page with it. */
function parse(text: string): Root {
  try {
    return fromMarkdown(text);
  } catch {
    const paragraphs = toBlocks(text).flatMap((block) =>
      block.type === 'paragraph' ? [block.lines] : block.items,
    );
    return {
      type: 'root',
      children: paragraphs.map((lines) => ({
        type: 'paragraph',
        children: [{ type: 'text', value: lines.join('\n') }],
      })),
    };
  }
}

interface NodeProps {
  readonly node: Nodes;
  readonly hosts: readonly string[];
  readonly top: number;
}

function children({ node, hosts, top }: NodeProps): ComponentChildren {
  return 'children' in node
    ? node.children.map((child, at) => <Node key={at} node={child} hosts={hosts} top={top} />)
    : null;
}

function Node(props: NodeProps) {
  const { node } = props;
  switch (node.type) {
    case 'heading':
      return <Heading level={Math.min(6, props.top + node.depth - 1)}>{children(props)}</Heading>;
    case 'paragraph':
      return <p>{children(props)}</p>;
    case 'list':
      return node.ordered ? <ol start={node.start ?? 1}>{children(props)}</ol> : <ul>{children(props)}</ul>;
    case 'listItem':
      return <li>{children(props)}</li>;
    case 'blockquote':
      return <blockquote>{children(props)}</blockquote>;
    case 'strong':
      return <strong>{children(props)}</strong>;
    case 'emphasis':
      return <em>{children(props)}</em>;
    case 'inlineCode':
      return <code>{node.value}</code>;
    case 'code':
      return (
        <pre>
          <code>{node.value}</code>
        </pre>
      );
    case 'thematicBreak':
      return <hr />;
    case 'break':
      return <br />;
    case 'link':
      return <Link {...props} url={node.url} />;
    case 'image':
      return <Image url={node.url} alt={node.alt ?? ''} hosts={props.hosts} />;
    case 'text':
    case 'html':
      return <>{node.value}</>;
    default:
      return <>{children(props)}</>;
  }
}

function Heading({
  level,
  children: content,
}: {
  readonly level: number;
  readonly children: ComponentChildren;
}) {
  const Tag = (['h2', 'h3', 'h4', 'h5', 'h6'] as const)[level - 2] ?? 'h6';
  return <Tag>{content}</Tag>;
}

function Link({ url, ...props }: NodeProps & { readonly url: string }) {
  const safe = safeUrl(url, props.hosts);
  if (safe === null) return <>{children(props)}</>;
  return (
    <a href={safe} target="_blank" rel="noopener noreferrer nofollow">
      {children(props)}
    </a>
  );
}

function Image({
  url,
  alt,
  hosts,
}: {
  readonly url: string;
  readonly alt: string;
  readonly hosts: readonly string[];
}) {
  const safe = safeUrl(url, hosts);
  return safe === null ? (
    <>{alt}</>
  ) : (
    <img src={safe} alt={alt} loading="lazy" referrerpolicy="no-referrer" />
  );
}

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
        <InlineText lines={block.lines} hosts={hosts} />
      </p>
    );
  }
  const items = block.items.map((lines, at) => (
    <li key={at} dir="auto">
      <InlineText lines={lines} hosts={hosts} />
    </li>
  ));
  return block.type === 'numbers' ? <ol start={block.start}>{items}</ol> : <ul>{items}</ul>;
}

function InlineText({ lines, hosts }: { readonly lines: readonly string[]; readonly hosts: Hosts }) {
  const text = wholeAmounts(lines.join('\n'));
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
