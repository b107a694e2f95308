import type { JsonObject, JsonValue } from '../domain/json.js';
import type { BoundStatement } from './data-source.js';

/** An expression in CEL, read once and worked out many times. */
export interface Formula {
  /** The dotted names it looks at. */
  readonly names: readonly string[];
  /** What its macros look at in the entries of lists, `*` for any entry: `orders.*.status`. */
  readonly entries: readonly string[];
  /** What comes out, as JSON; undefined where it cannot be worked out over this data. Never throws. A missing name is null. */
  value(scope: JsonObject): JsonValue | undefined;
}

/**
 * Expressions and placeholders (`{order.id}`) of YAML files. A value never becomes a part of a statement, and never leaves
 * its place in a path.
 */
export interface Expressions {
  /** @throws HubError `expression_invalid` with the text, what is wrong with it, and where */
  formula(text: string): Formula;
  /** @throws HubError `expression_invalid` where a placeholder stands in quotes or in a comment */
  statement(template: string, scope: JsonObject): BoundStatement;
  /** @throws HubError `input_invalid` for a value that is missing or leads elsewhere */
  path(template: string, scope: JsonObject): string;
  /** A text that is one placeholder keeps the type of its value. */
  fill(template: JsonValue, scope: JsonObject): JsonValue;
  /** The dotted names that a template of any shape refers to. */
  namesIn(template: JsonValue | undefined): readonly string[];
}
