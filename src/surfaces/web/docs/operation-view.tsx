import { Badge } from '../shared/components/card.js';
import { useTexts } from '../shared/i18n.js';
import {
  exampleOf,
  type OpenApi,
  type Operation,
  type Parameter,
  type Schema,
  typeWords,
} from './openapi.js';
import { SchemaView } from './schema-view.js';
import { TEXTS } from './texts.js';
import { Words } from './words.js';

/** One operation: what it does, what it takes, what it answers. */
export function OperationView({
  document,
  operation,
}: {
  readonly document: OpenApi;
  readonly operation: Operation;
}) {
  const texts = useTexts(TEXTS);
  const {
    id,
    method,
    path,
    summary,
    description,
    security,
    parameters = [],
    requestBody,
    responses = {},
  } = operation;
  return (
    <article class="operation" id={id} aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`} class="operation__title">
        {summary ?? `${method.toUpperCase()} ${path}`}
      </h3>
      <p class="operation__path">
        <span class={`method method--${method}`}>{method.toUpperCase()}</span>
        <code>{path}</code>
        {security !== undefined && security.length > 0 && <Badge tone="sun">{texts.signedIn}</Badge>}
      </p>
      {description && (
        <p class="operation__words">
          <Words text={description} />
        </p>
      )}
      {parameters.length > 0 && (
        <>
          <h4>{texts.parameters}</h4>
          <Parameters document={document} parameters={parameters} />
        </>
      )}
      {requestBody?.content && (
        <>
          <h4>{texts.request}</h4>
          <Body document={document} content={requestBody.content} open />
        </>
      )}
      <h4>{texts.responses}</h4>
      <ul class="responses">
        {Object.entries(responses).map(([status, response]) => (
          <li key={status}>
            <p class="response__head">
              <Badge tone={status.startsWith('2') ? 'good' : 'bad'}>{status}</Badge>{' '}
              <Words text={response.description ?? ''} />
            </p>
            {response.content && status.startsWith('2') && (
              <Body document={document} content={response.content} />
            )}
          </li>
        ))}
      </ul>
    </article>
  );
}

function Parameters({
  document,
  parameters,
}: {
  readonly document: OpenApi;
  readonly parameters: readonly Parameter[];
}) {
  const texts = useTexts(TEXTS);
  return (
    <ul class="fields">
      {parameters.map(({ name, in: place, required, description, schema = {} }) => (
        <li key={`${place}-${name}`} class="field-row">
          <code class="field-row__name">{name}</code>
          <span class="field-row__type">
            {typeWords(document, schema)} · {place}
            {required && ` · ${texts.required}`}
          </span>
          {(description ?? schema.description) && (
            <span class="field-row__words">
              <Words text={description ?? schema.description ?? ''} />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

function Body({
  document,
  content,
  open = false,
}: {
  readonly document: OpenApi;
  readonly content: NonNullable<NonNullable<Operation['requestBody']>['content']>;
  readonly open?: boolean;
}) {
  const texts = useTexts(TEXTS);
  return (
    <>
      {Object.entries(content).map(([type, { schema, example }]) => (
        <div key={type} class="body">
          <p class="body__type">
            <code>{type}</code>
          </p>
          {schema && (
            <details open={open}>
              <summary>{texts.fields}</summary>
              <SchemaView document={document} schema={schema} />
            </details>
          )}
          {schema && type.includes('json') && (
            <Example value={example ?? exampleOf(document, schema as Schema)} />
          )}
        </div>
      ))}
    </>
  );
}

function Example({ value }: { readonly value: unknown }) {
  const texts = useTexts(TEXTS);
  return (
    <details>
      <summary>{texts.example}</summary>
      {/* A part that scrolls must be reachable by keyboard. */}
      <pre class="example" tabIndex={0} role="group" aria-label={texts.example}>
        <code>{JSON.stringify(value, null, 2)}</code>
      </pre>
    </details>
  );
}
