import { isObject, type JsonObject, type JsonValue } from '../../core/domain/json.js';
import { type Draft, type DraftedFor, draftedSentences, inAll, kindOf } from './drafts.js';
import {
  listAt,
  nameOf,
  type Operation,
  type OperationInput,
  objectAt,
  PERSONAL,
  textAt,
} from './openapi-operations.js';

/** Drafts a tool of each operation: reads of those that change nothing, actions of the others. */
export function draftsOf(
  operations: readonly Operation[],
  source: string,
  company: DraftedFor,
): readonly Draft[] {
  return operations.map((operation) =>
    operation.method === 'GET'
      ? readDraft(operation, source, company)
      : actionDraft(operation, operations, source, company),
  );
}

function readDraft(operation: Operation, source: string, company: DraftedFor): Draft {
  const { name, summary, identity, inputs } = operation;
  const mine = identity.length > 0;
  return {
    tool: name,
    kind: 'read',
    identity: identity.map((one) => one.name),
    repeatable: null,
    undecided: mine
      ? personal(inputs)
      : 'it names no customer. Say `access: anyone` and `public: true` where everybody may know the answer; where an input says who the customer is, import again with --identity.',
    content: {
      name,
      label: inAll(company, summary),
      description: summary,
      ...(inputs.length === 0 ? {} : { input: declared(inputs, company, null) }),
      read: { found: { source, ...requestOf(operation), ...rowsOf(operation) } },
    },
  };
}

function actionDraft(
  operation: Operation,
  all: readonly Operation[],
  source: string,
  company: DraftedFor,
): Draft {
  const { name, method, summary, identity, inputs, idempotencyHeader, mcp } = operation;
  const kind = kindOf(`${name} ${summary}`);
  const target = inputs.find((one) => entityOf(one, company) !== null) ?? null;
  const owner = identity.length > 0 ? null : ownerOf(operation, all);
  const outcome = outcomeOf(all);
  const repeatable = mcp?.repeatable || idempotencyHeader !== null || method === 'PUT' || method === 'DELETE';
  const shown = inputs.filter(({ spec }) => spec.type !== 'object').map((one) => nameOf(one.name));
  const asked = inputs.filter((one) => one.required && one !== target).map((one) => nameOf(one.name));
  const unowned = identity.length === 0 && owner === null;
  return {
    tool: name,
    kind: 'action',
    identity: identity.map((one) => one.name),
    repeatable,
    undecided: unowned
      ? 'nothing says that the record is the customer’s. Read it first by a call that names the customer, or import again with --identity.'
      : personal(inputs),
    content: {
      name,
      label: inAll(company, summary),
      description: `${summary.replace(/\.$/, '')}. The system asks the customer to confirm.`,
      issue_type: company.issueType,
      kind,
      ...(inputs.length === 0 ? {} : { input: declared(inputs, company, target) }),
      ...(target ? { target: { input: nameOf(target.name) } } : {}),
      ...(owner ? { read: { [owner.as]: { source, ...requestOf(owner.operation), one: true } } } : {}),
      ...(shown.length === 0
        ? {}
        : { values: valuesOf(inputs.filter(({ spec }) => spec.type !== 'object')) }),
      // What is not known to be harmless waits for an operator too, until the company says otherwise.
      ...(mcp?.destructive ? { approval: { when: 'true' } } : {}),
      perform: {
        source,
        ...(method === 'POST' ? {} : { method }),
        ...requestOf(operation),
        ...(mcp?.key == null ? {} : { idempotency_arg: mcp.key }),
        ...(idempotencyHeader === null || idempotencyHeader === 'Idempotency-Key'
          ? {}
          : { idempotency_header: idempotencyHeader }),
        ...(repeatable === (mcp === undefined || mcp.key !== null) ? {} : { repeatable }),
      },
      ...(outcome === null || idempotencyHeader === null
        ? {}
        : { find_outcome: { source, path: pathOf(outcome, () => '{idempotency_key}') } }),
      claims: [{ deed: kind }],
      effects: [{ say: 'changes' }],
      says: draftedSentences(company, summary, shown, asked, mcp?.destructive === true),
    },
  };
}

/** An input by which a caller could be somebody else; null where there is none. */
function personal(inputs: readonly OperationInput[]): string | null {
  const named = inputs.filter(({ name }) => PERSONAL.test(nameOf(name))).map(({ name }) => name);
  return named.length === 0
    ? null
    : `${named.join(', ')} may say who the customer is. Delete it and write {customer_id} in its place, or import again with --identity; keep it where it is the customer’s to choose.`;
}

/** Where an operation reads the one record of the customer's that another works on. */
function ownerOf(
  { inputs }: Operation,
  all: readonly Operation[],
): { readonly as: string; readonly operation: Operation } | null {
  const keys = new Set(inputs.filter((one) => one.in === 'path').map((one) => one.name));
  const found = all.find(
    (one) =>
      one.method === 'GET' &&
      !one.isList &&
      one.identity.length > 0 &&
      one.inputs.length > 0 &&
      one.inputs.every((input) => keys.has(input.name)),
  );
  const [key] = found?.inputs ?? [];
  return found && key ? { as: nameOf(key.name.replace(/_?id$/i, '')), operation: found } : null;
}

/** The operation that says what came of a key. */
function outcomeOf(all: readonly Operation[]): Operation | null {
  return (
    all.find(
      ({ method, inputs, summary }) =>
        method === 'GET' &&
        inputs.length === 1 &&
        inputs[0]?.in === 'path' &&
        /idempoten|^key$/i.test(`${inputs[0].name}`) &&
        /idempoten/i.test(`${inputs[0].name} ${summary}`),
    ) ?? null
  );
}

function entityOf({ name, in: where }: OperationInput, { entities }: DraftedFor): string | null {
  const noun = nameOf(name).replace(/_id$/, '');
  return (where === 'path' || where === 'body') && entities.includes(noun) ? noun : null;
}

function declared(
  inputs: readonly OperationInput[],
  company: DraftedFor,
  target: OperationInput | null,
): JsonObject {
  return Object.fromEntries(
    inputs.map((one) => {
      const entity = entityOf(one, company);
      const spec = entity && one === target ? { type: 'record', entity } : one.spec;
      return [nameOf(one.name), { ...spec, ...(one.required ? {} : { optional: true }) } as JsonValue];
    }),
  );
}

function valuesOf(inputs: readonly OperationInput[]): JsonObject {
  return Object.fromEntries(
    inputs.map(({ name, spec }) => {
      const key = nameOf(name);
      const format = spec.type === 'list' ? ' | list' : spec.type === 'date' ? ' | date' : '';
      return [key, `input.${key}${format}`];
    }),
  );
}

/** A call with the customer and the inputs in their places. */
function requestOf(operation: Operation): JsonObject {
  const all = [
    ...operation.identity.map((one) => ({ ...one, fill: '{customer_id}' })),
    ...operation.inputs.map((one) => ({ ...one, fill: `{input.${nameOf(one.name)}}` })),
  ];
  const part = (where: OperationInput['in']): JsonObject =>
    Object.fromEntries(all.filter((one) => one.in === where).map(({ name, fill }) => [name, fill]));
  const [params, headers, body] = [part('query'), part('header'), part('body')];
  if (operation.mcp) return { tool: operation.path, ...(Object.keys(body).length > 0 ? { args: body } : {}) };
  return {
    path: pathOf(operation, (name) => all.find((one) => one.in === 'path' && one.name === name)?.fill ?? ''),
    ...(Object.keys(params).length > 0 ? { params } : {}),
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
    ...(Object.keys(body).length > 0 ? { body } : {}),
  };
}

function pathOf({ path }: Operation, fill: (name: string) => string): string {
  return path.replaceAll(/\{([^}]+)\}/g, (_mark, name: string) => fill(name));
}

function rowsOf({ rows, isList }: Operation): JsonObject {
  if (!isList) return { one: true, optional: true };
  return rows === null ? {} : { rows };
}

/** The system of a document as a source: where it is and how it knows who calls, with secrets in the environment. */
export function sourceOf(document: JsonObject, name: string): JsonObject {
  const variable = name.toUpperCase();
  const [server] = listAt(document, 'servers');
  const url = isObject(server) ? textAt(server, 'url') : '';
  const endpoint = /^https?:/.test(url) ? `env:${variable}_URL:-${url}` : `env:${variable}_URL`;
  return { kind: 'http', endpoint, ...authOf(document, variable) };
}

function authOf(document: JsonObject, variable: string): JsonObject {
  const schemes = objectAt(objectAt(document, 'components'), 'securitySchemes');
  const required = listAt(document, 'security').flatMap((one) => (isObject(one) ? Object.keys(one) : []));
  const scheme = objectAt(schemes, required[0] ?? Object.keys(schemes)[0] ?? '');
  const type = textAt(scheme, 'type');
  const token = { credentials: `env:${variable}_TOKEN` };
  if (type === 'http' && textAt(scheme, 'scheme').toLowerCase() === 'basic')
    return { auth: 'basic', credentials: `env:${variable}_USER,env:${variable}_PASSWORD` };
  if (type === 'http' || type === 'openIdConnect') return { auth: 'bearer', ...token };
  if (type === 'apiKey' && textAt(scheme, 'in') === 'header')
    return { auth: 'api_key', header: textAt(scheme, 'name'), ...token };
  const flow = objectAt(objectAt(scheme, 'flows'), 'clientCredentials');
  if (type === 'oauth2' && textAt(flow, 'tokenUrl') !== '')
    return {
      ...{ auth: 'oauth2', token_url: textAt(flow, 'tokenUrl') },
      credentials: `env:${variable}_CLIENT_ID,env:${variable}_CLIENT_SECRET`,
      ...(Object.keys(objectAt(flow, 'scopes')).length === 0
        ? {}
        : { scope: Object.keys(objectAt(flow, 'scopes')).join(' ') }),
    };
  return type === 'oauth2' ? { auth: 'bearer', ...token } : {};
}
