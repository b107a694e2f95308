import type { ErrorObject } from 'ajv';

/** More messages than this help nobody. */
const MAX_MESSAGES = 20;

/**
 * What Ajv found, in words that begin with the place: `/reply must be string`, `/amount is missing`. Values are never
 * repeated, since they may be private. Of alternatives (`anyOf`, `oneOf`) what is wrong with each is told.
 */
export function describeSchemaErrors(errors: readonly ErrorObject[]): readonly string[] {
  const messages = [...new Set(errors.filter(worthTelling).map(describe))];
  if (messages.length <= MAX_MESSAGES) return messages;
  return [...messages.slice(0, MAX_MESSAGES), `and ${messages.length - MAX_MESSAGES} more`];
}

/** `if` only repeats what the failed branch says. */
function worthTelling(error: ErrorObject): boolean {
  return error.keyword !== 'if';
}

function describe({ keyword, instancePath, params, message }: ErrorObject): string {
  const at = instancePath === '' ? 'the value' : instancePath;
  const child = (name: unknown): string => `${instancePath}/${escapePointer(String(name))}`;
  switch (keyword) {
    case 'required':
      return `${child(params.missingProperty)} is missing`;
    case 'dependentRequired':
    case 'dependencies':
      return params.missingProperty === undefined
        ? `${at} ${message}`
        : `${child(params.missingProperty)} is missing, and is needed beside ${String(params.property)}`;
    case 'additionalProperties':
      return `${child(params.additionalProperty)} is not allowed`;
    case 'unevaluatedProperties':
      return `${child(params.unevaluatedProperty)} is not allowed`;
    case 'enum':
      return `${at} must be one of ${list(params.allowedValues)}`;
    case 'const':
      return `${at} must be ${shorten(JSON.stringify(params.allowedValue))}`;
    default:
      return `${at} ${message ?? 'is not valid'}`;
  }
}

function list(values: unknown): string {
  return Array.isArray(values)
    ? shorten(values.map((value) => JSON.stringify(value)).join(', '))
    : 'the listed values';
}

function shorten(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300)}...` : text;
}

/** A field's name as a part of a JSON pointer. */
export function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
