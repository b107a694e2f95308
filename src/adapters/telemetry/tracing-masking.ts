import type { Attributes, Context } from '@opentelemetry/api';
import type { ReadableSpan, Span, SpanProcessor } from '@opentelemetry/sdk-trace-base';
import { wordPattern } from '../../core/privacy-scrub.js';
import { maskText } from './pino-log-mask.js';

/** Replaces what must not leave in a text. */
export type MaskText = (text: string) => string;

/**
 * The log's masker, which also takes out the names a session is known by, whole and in parts.
 * @param names full name and e-mail address of the customer
 */
export function sessionMask(names: readonly string[]): MaskText {
  const parts = names.flatMap((name) => [name, ...name.split(/\s+/)]).filter((part) => part.length >= 3);
  if (parts.length === 0) return maskText;
  const pattern = wordPattern([...new Set(parts)]);
  return (text) => maskText(text).replace(pattern, '[name]');
}

/**
 * Masks every text of a span before it is handed on: attributes, events, status. Ended spans take no more changes by
 * their methods, so the values are replaced where they are kept.
 */
export class MaskingSpanProcessor implements SpanProcessor {
  /** @param maskOf what to mask in the spans of a trace */
  constructor(
    private readonly next: SpanProcessor,
    private readonly maskOf: (traceId: string) => MaskText,
  ) {}

  onStart(span: Span, parentContext: Context): void {
    this.next.onStart(span, parentContext);
  }

  onEnd(span: ReadableSpan): void {
    const mask = this.maskOf(span.spanContext().traceId);
    maskAttributes(span.attributes, mask);
    for (const event of span.events) if (event.attributes) maskAttributes(event.attributes, mask);
    if (span.status.message !== undefined) span.status.message = mask(span.status.message);
    this.next.onEnd(span);
  }

  forceFlush(): Promise<void> {
    return this.next.forceFlush();
  }

  shutdown(): Promise<void> {
    return this.next.shutdown();
  }
}

function maskAttributes(attributes: Attributes, mask: MaskText): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'string') attributes[name] = mask(value);
    else if (Array.isArray(value))
      attributes[name] = value.map((item) => (typeof item === 'string' ? mask(item) : item)) as string[];
  }
}
