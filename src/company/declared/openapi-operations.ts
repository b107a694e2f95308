import { isObject, type JsonObject, type JsonValue } from '../../core/domain/json.js';
import type { OfferedTool } from '../../core/ports/data-source.js';
import { NAME } from '../yaml-file.js';
import type { InputSpec } from './inputs.js';

/** An input of an operation, and where it travels. */
export interface OperationInput {
  /** As the document writes it. */
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'body';
  readonly required: boolean;
  readonly spec: Partial<InputSpec> & { readonly type: InputSpec['type'] };
}

/** An operation of an OpenAPI document, as far as tools are made of it. */
export interface Operation {
  /** With underscores, from its `operationId`. */
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly summary: string;
  /** Those that a caller chooses. */
  readonly inputs: readonly OperationInput[];
  /** Those that say who the customer is. */
  readonly identity: readonly OperationInput[];
  /** The header by which a repeated call is known; null where there is none. */
  readonly idempotencyHeader: string | null;
  /** Where the rows are in its answer, in CEL; null where the body is the row, or all of them. */
  readonly rows: string | null;
  readonly isList: boolean;
  /** Set of a tool of an MCP server: `path` is its name, all inputs are its arguments. */
  readonly mcp?: {
    readonly repeatable: boolean;
    readonly destructive: boolean;
    /** The argument by which a repeated call is known; null where there is none. */
    readonly key: string | null;
  };
}

/** The tools of an MCP server; what is not known to be harmless changes something. */
export function operationsOfTools(
  tools: readonly OfferedTool[],
  identity: readonly string[],
): readonly Operation[] {
  return tools.map(({ name, description, inputSchema, annotations }) => {
    const all = propertiesOf(inputSchema);
    const key = all.find((one) => IDEMPOTENCY.test(one.name)) ?? null;
    const mine = identityIn(identity);
    return {
      name: nameOf(name),
      method: annotations.readOnlyHint === true ? 'GET' : 'POST',
      path: name,
      summary: (description.split('\n')[0] || name).slice(0, 200),
      inputs: all.filter((one) => one !== key && !mine(one)),
      identity: all.filter(mine),
      ...{ idempotencyHeader: null, rows: null, isList: false },
      mcp: {
        repeatable: annotations.idempotentHint === true || key !== null,
        destructive: annotations.destructiveHint !== false,
        key: key?.name ?? null,
      },
    };
  });
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
const IDENTITY =
  /^(?:customer|user|account|member|client|subscriber|consumer)(?:_?(?:id|number|ref|uuid|key))?$/;
/** What may name a person too, though nothing here can tell whom. */
export const PERSONAL =
  /(?:^|_)(?:e_?mail|phone|telephone|msisdn|username|login|holder|owner|tax_id|cpf|ssn)(?:_|$)/;
const IDEMPOTENCY = /idempoten/i;

/**
 * The operations of a document whose references are resolved.
 * @param identity names of inputs that say who the customer is, beside those that are called so
 */
export function operationsOf(document: JsonObject, identity: readonly string[]): readonly Operation[] {
  const paths = objectAt(document, 'paths');
  const isIdentity = identityIn(identity);
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method): readonly Operation[] => {
      const operation = isObject(item) ? item[method] : undefined;
      if (!isObject(operation)) return [];
      const shared = isObject(item) ? listAt(item, 'parameters') : [];
      const all = [...parametersIn([...shared, ...listAt(operation, 'parameters')]), ...bodyOf(operation)];
      const header = all.find((one) => one.in === 'header' && IDEMPOTENCY.test(one.name));
      const chosen = all.filter(
        (one) => one !== header && !isIdentity(one) && (one.in !== 'header' || one.required),
      );
      return [
        {
          name: nameOf(textAt(operation, 'operationId') || `${method} ${path}`),
          method: method.toUpperCase() as Operation['method'],
          path,
          summary: (textAt(operation, 'summary') || textAt(operation, 'description') || `${method} ${path}`)
            .split('\n')[0]
            ?.slice(0, 200) as string,
          inputs: chosen,
          identity: all.filter(isIdentity),
          idempotencyHeader: header?.name ?? null,
          ...answerOf(operation),
        },
      ];
    }),
  );
}

/** Whether an input says who the customer is. */
function identityIn(names: readonly string[]): (input: OperationInput) => boolean {
  const known = new Set(names.map(nameOf));
  return ({ name }) => IDENTITY.test(nameOf(name)) || known.has(nameOf(name));
}

/** A name as YAML and tools write it. */
export function nameOf(text: string): string {
  const plain = text
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^[_0-9]+|_+$/g, '')
    .slice(0, 40);
  return NAME.test(plain) ? plain : 'operation';
}

function parametersIn(list: readonly JsonValue[]): readonly OperationInput[] {
  const all = list.flatMap((one): readonly OperationInput[] => {
    if (!isObject(one)) return [];
    const where = textAt(one, 'in');
    if (where !== 'path' && where !== 'query' && where !== 'header') return [];
    return [
      {
        name: textAt(one, 'name'),
        in: where,
        required: one.required === true,
        spec: specOf(objectAt(one, 'schema'), textAt(one, 'description')),
      },
    ];
  });
  // One of the operation takes the place of one of its path.
  return [...new Map(all.map((one) => [`${one.in} ${one.name}`, one])).values()];
}

function bodyOf(operation: JsonObject): readonly OperationInput[] {
  const schema = objectAt(
    objectAt(objectAt(objectAt(operation, 'requestBody'), 'content'), 'application/json'),
    'schema',
  );
  return propertiesOf(schema);
}

function propertiesOf(schema: JsonObject): readonly OperationInput[] {
  const needed = new Set(listAt(schema, 'required'));
  return Object.entries(objectAt(schema, 'properties')).flatMap(([name, given]) =>
    isObject(given) && given.readOnly !== true
      ? [
          {
            name,
            in: 'body' as const,
            required: needed.has(name),
            spec: specOf(given, textAt(given, 'description')),
          },
        ]
      : [],
  );
}

/** What an input of a JSON Schema takes. */
function specOf(schema: JsonObject, about: string): OperationInput['spec'] {
  const described = about === '' ? {} : { about: about.slice(0, 300) };
  const type = Array.isArray(schema.type) ? schema.type.find((one) => one !== 'null') : schema.type;
  const options = listAt(schema, 'enum').filter(
    (one): one is string => typeof one === 'string' && one !== '',
  );
  if (options.length > 0) return { type: 'choice', of: options, ...described };
  if (type === 'boolean') return { type: 'yes_no', ...described };
  if (type === 'integer' || type === 'number') {
    const [min, max] = [schema.minimum, schema.maximum];
    return {
      type: 'number',
      ...(type === 'integer' ? { whole: true } : {}),
      ...(typeof min === 'number' ? { min } : {}),
      ...(typeof max === 'number' ? { max } : {}),
      ...described,
    };
  }
  if (type === 'array')
    return { type: 'list', of: specOf(objectAt(schema, 'items'), '') as InputSpec, ...described };
  if (type === 'object') {
    const needed = new Set(listAt(schema, 'required'));
    const fields = Object.entries(objectAt(schema, 'properties')).map(([name, given]) => [
      nameOf(name),
      { ...specOf(isObject(given) ? given : {}, ''), ...(needed.has(name) ? {} : { optional: true }) },
    ]);
    return { type: 'object', fields: Object.fromEntries(fields) as Record<string, InputSpec>, ...described };
  }
  if (schema.format === 'date') return { type: 'date', ...described };
  const longest = typeof schema.maxLength === 'number' ? Math.min(4_000, Math.max(1, schema.maxLength)) : 200;
  return { type: 'text', max: longest, ...described };
}

function answerOf(operation: JsonObject): Pick<Operation, 'rows' | 'isList'> {
  const responses = objectAt(operation, 'responses');
  const [status] = Object.keys(responses).filter((one) => one.startsWith('2'));
  const schema = objectAt(
    objectAt(objectAt(objectAt(responses, status ?? ''), 'content'), 'application/json'),
    'schema',
  );
  if (schema.type === 'array') return { rows: null, isList: true };
  const lists = Object.entries(objectAt(schema, 'properties')).filter(
    ([, one]) => isObject(one) && one.type === 'array',
  );
  const [only, ...others] = lists;
  // A record may hold a list too; what wraps one holds hardly anything else.
  const wraps = only && others.length === 0 && Object.keys(objectAt(schema, 'properties')).length <= 4;
  return wraps && !Object.hasOwn(objectAt(schema, 'properties'), 'id')
    ? { rows: `body.${only[0]}`, isList: true }
    : { rows: null, isList: false };
}

export function objectAt(of: JsonObject, key: string): JsonObject {
  const found = of[key];
  return isObject(found) ? found : {};
}

export function listAt(of: JsonObject, key: string): readonly JsonValue[] {
  const found = of[key];
  return Array.isArray(found) ? (found as readonly JsonValue[]) : [];
}

export function textAt(of: JsonObject, key: string): string {
  const found = of[key];
  return typeof found === 'string' ? found.trim() : '';
}
