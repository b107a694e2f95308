import type { JsonObject, JsonValue } from '../../core/domain/json.js';
import { HubError } from '../../core/errors.js';
import { celEnvironment } from './cel-environment.js';
import { chainsOf } from './chains.js';
import { sparseScope } from './sparse-scope.js';

/** An expression of a pack that gives a value and not only a yes or no. */
export interface Formula {
  /**
   * What comes out, as JSON; undefined where it cannot be worked out over this data (types that do not fit). Never throws.
   */
  value(scope: JsonObject): JsonValue | undefined;
}

const MAX_CHARS = 4_000;
const MAX_DEPTH = 50;

/**
 * Reads a CEL expression whose value may be anything. A name that is missing reads as null, as in conditions.
 * @throws HubError `expression_invalid` with the text and what is wrong with it
 */
export function compileFormula(text: string): Formula {
  if (text.length > MAX_CHARS) throw invalid(text, `it is longer than ${MAX_CHARS} characters`);
  const program = parse(text);
  const chains = chainsOf(program.ast);
  return {
    value(scope) {
      try {
        return toJson(program(sparseScope(scope, chains)), 0);
      } catch {
        return undefined;
      }
    },
  };
}

function parse(text: string) {
  try {
    const program = celEnvironment().parse(text);
    const check = program.check();
    if (!check.valid) throw check.error ?? new Error('its types do not fit');
    return program;
  } catch (error) {
    throw invalid(text, error instanceof Error ? error.message : String(error));
  }
}

/** CEL's whole numbers are bigints, and its times are dates. */
function toJson(value: unknown, depth: number): JsonValue | undefined {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== 'object' || depth > MAX_DEPTH) return undefined;
  if (Array.isArray(value)) return value.map((entry) => toJson(entry, depth + 1) ?? null);
  const entries = value instanceof Map ? [...value.entries()] : Object.entries(value);
  return Object.fromEntries(entries.map(([key, entry]) => [String(key), toJson(entry, depth + 1)]));
}

function invalid(text: string, why: string): HubError {
  const [reason = ''] = why.split('\n');
  return new HubError(
    'expression_invalid',
    `The expression "${text.slice(0, 200)}" cannot be read: ${reason.replace(/\.$/, '')}.`,
    { expression: text.slice(0, 200) },
  );
}
