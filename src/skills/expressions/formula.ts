import type { JsonObject, JsonValue } from '../../core/domain/json.js';
import { fromCel } from './cel-values.js';
import { compileExpression } from './expression.js';

/** An expression of a pack that gives a value and not only a yes or no. */
export interface Formula {
  /** The dotted names it looks at. */
  readonly names: readonly string[];
  /**
   * What comes out, as JSON; undefined where it cannot be worked out over this data (types that do not fit). Never throws.
   */
  value(scope: JsonObject): JsonValue | undefined;
}

/**
 * Reads a CEL expression whose value may be anything. A name that is missing reads as null, as in conditions.
 * @throws HubError `expression_invalid` with the text, what is wrong with it, and where
 */
export function compileFormula(text: string): Formula {
  const { names, evaluate } = compileExpression(text);
  return {
    names,
    value(scope) {
      try {
        return fromCel(evaluate(scope));
      } catch {
        return undefined;
      }
    },
  };
}
