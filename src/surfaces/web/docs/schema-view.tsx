import { useTexts } from '../shared/i18n.js';
import { type OpenApi, resolve, type Schema, typeWords } from './openapi.js';
import { TEXTS } from './texts.js';
import { Words } from './words.js';

/** Deeper than this a schema is only named. */
const DEEPEST = 5;

/** The fields of a schema, those of its parts below them. */
export function SchemaView({
  document,
  schema: wanted,
  depth = 0,
}: {
  readonly document: OpenApi;
  readonly schema: Schema;
  readonly depth?: number;
}) {
  const parts = partsOf(document, wanted);
  if (parts.length === 0) return <p class="field-row__type">{typeWords(document, wanted)}</p>;
  return (
    <>
      {parts.map((part, at) => (
        <Fields key={at} document={document} schema={part} depth={depth} />
      ))}
    </>
  );
}

function Fields({
  document,
  schema,
  depth,
}: {
  readonly document: OpenApi;
  readonly schema: Schema;
  readonly depth: number;
}) {
  const texts = useTexts(TEXTS);
  return (
    <ul class="fields">
      {Object.entries(schema.properties ?? {}).map(([name, property]) => {
        const inner = depth < DEEPEST && partsOf(document, property).length > 0;
        const words = resolve(document, property).schema.description ?? property.description;
        const limits = limitWords(resolve(document, property).schema);
        return (
          <li key={name} class="field-row">
            <code class="field-row__name">{name}</code>
            <span class="field-row__type">
              {typeWords(document, property)}
              {schema.required?.includes(name) && ` · ${texts.required}`}
              {limits && ` · ${limits}`}
            </span>
            {words && (
              <span class="field-row__words">
                <Words text={words} />
              </span>
            )}
            {inner && (
              <details class="field-row__inner">
                <summary>
                  {texts.fields}: {name}
                </summary>
                <SchemaView document={document} schema={property} depth={depth + 1} />
              </details>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** The objects a schema is made of: itself, its items, or each of its choices. */
function partsOf(document: OpenApi, wanted: Schema): readonly Schema[] {
  const { schema } = resolve(document, wanted);
  if (schema.properties) return [schema];
  if (schema.items) return partsOf(document, schema.items);
  return (schema.anyOf ?? schema.oneOf ?? schema.allOf ?? []).flatMap((part) => partsOf(document, part));
}

function limitWords({ minLength, maxLength, minimum, maximum }: Schema): string {
  const low = minLength ?? minimum;
  const high = maxLength ?? maximum;
  if (high !== undefined && high >= Number.MAX_SAFE_INTEGER) return low === undefined ? '' : `≥ ${low}`;
  if (low !== undefined && high !== undefined) return `${low}–${high}`;
  return high !== undefined ? `≤ ${high}` : low !== undefined && low > 0 ? `≥ ${low}` : '';
}
