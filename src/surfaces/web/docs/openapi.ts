/** The parts of an OpenAPI 3.1 document that the reference shows. */
export interface OpenApi {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  readonly tags?: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly example?: unknown;
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: boolean | Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
}

type Content = Readonly<Record<string, { readonly schema?: Schema; readonly example?: unknown }>>;

/** One method of one path. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly deprecated?: boolean;
  readonly security?: readonly unknown[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content?: Content };
  readonly responses?: Readonly<
    Record<string, { readonly description?: string; readonly content?: Content }>
  >;
}

/** The operations of one tag. */
export interface Group {
  readonly name: string;
  readonly description: string;
  readonly operations: readonly Operation[];
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** All operations by their first tag: in the document's order of tags, others after them. */
export function groupsOf(document: OpenApi): readonly Group[] {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method] !== undefined).map(
      (method): Operation => ({
        ...(item[method] as Omit<Operation, 'id' | 'method' | 'path'>),
        id: `${method}${path}`.replace(/[^\w]+/g, '-').replace(/-$/, ''),
        method,
        path,
      }),
    ),
  );
  const names = new Set([
    ...(document.tags ?? []).map(({ name }) => name),
    ...operations.map(({ tags }) => tags?.[0] ?? 'Other'),
  ]);
  return [...names]
    .map((name) => ({
      name,
      description: document.tags?.find((tag) => tag.name === name)?.description ?? '',
      operations: operations.filter(({ tags }) => (tags?.[0] ?? 'Other') === name),
    }))
    .filter((group) => group.operations.length > 0);
}

/** The schema behind references, and its name where it has one. */
export function resolve(
  document: OpenApi,
  schema: Schema,
): { readonly schema: Schema; readonly name: string | null } {
  let current = schema;
  let name: string | null = null;
  for (let step = 0; step < 20 && current.$ref !== undefined; step += 1) {
    name = current.$ref.split('/').at(-1) ?? '';
    const next = document.components?.schemas?.[name];
    if (next === undefined) return { schema: {}, name };
    current = next;
  }
  return { schema: current, name };
}

/** A schema in few words: `string (date-time)`, `Message[]`, `"yes" | "no"`. */
export function typeWords(document: OpenApi, wanted: Schema): string {
  const { schema, name } = resolve(document, wanted);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.map((choice) => typeWords(document, choice)).join(' | ');
  if (schema.items) return `${typeWords(document, schema.items)}[]`;
  if (name !== null) return name;
  const type = Array.isArray(schema.type) ? schema.type.join(' | ') : (schema.type ?? 'any');
  return schema.format === undefined ? String(type) : `${type} (${schema.format})`;
}

/** A value that fits a schema: its own example where it has one. */
export function exampleOf(document: OpenApi, wanted: Schema, depth = 0): unknown {
  const { schema } = resolve(document, wanted);
  if (schema.example !== undefined) return schema.example;
  if (schema.examples?.[0] !== undefined) return schema.examples[0];
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (depth > 6) return null;
  const choice = schema.anyOf?.[0] ?? schema.oneOf?.[0];
  if (choice) return exampleOf(document, choice, depth + 1);
  if (schema.allOf) {
    return Object.assign({}, ...schema.allOf.map((part) => exampleOf(document, part, depth + 1)));
  }
  if (schema.properties) {
    return Object.fromEntries(
      Object.entries(schema.properties).map(([name, part]) => [name, exampleOf(document, part, depth + 1)]),
    );
  }
  if (schema.items) return [exampleOf(document, schema.items, depth + 1)];
  return plainExample(schema);
}

function plainExample({ type, format }: Schema): unknown {
  const first = Array.isArray(type) ? type[0] : type;
  if (first === 'string') return format === 'date-time' ? '2026-03-11T15:00:00.000Z' : 'text';
  if (first === 'integer' || first === 'number') return 0;
  if (first === 'boolean') return true;
  return first === 'array' ? [] : first === 'null' ? null : {};
}
