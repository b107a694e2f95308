import { toCel } from './cel-values.js';

type Fields = Readonly<Record<string, unknown>>;

/** What the variables of an expression are called inside CEL, so that none is taken for a function, a type or a prototype. */
export const VARIABLE = 'v_';

/**
 * The part of a scope that an expression looks at, as CEL's own values: a thousand rows are not copied for a look at their
 * count. Own properties only. A variable that is missing is null; a field that is missing is absent.
 * @param names dotted names, shorter ones first
 */
export function sparseScope(scope: object, names: readonly (readonly string[])[]): Record<string, unknown> {
  const sparse: Record<string, unknown> = Object.create(null);
  for (const [root = '', ...path] of names) {
    const key = VARIABLE + root;
    const value = own(scope, root);
    if (path.length === 0 || !isFields(value)) sparse[key] ??= asVariable(root, value);
    else {
      sparse[key] ??= new Map();
      put(sparse[key], value, path);
    }
  }
  return sparse;
}

/** `now` is a time, also where it comes as text. */
function asVariable(name: string, value: unknown): unknown {
  if (name !== 'now' || typeof value !== 'string') return toCel(value);
  const time = new Date(value);
  return Number.isNaN(time.getTime()) ? value : time;
}

function put(target: unknown, source: Fields, [head = '', ...rest]: readonly string[]): void {
  const value = own(source, head);
  if (value === undefined || !(target instanceof Map)) return;
  // A shorter name has put the value whole, or another long one a part of it, which is added to.
  if (rest.length > 0 && isFields(value)) {
    if (!target.has(head)) target.set(head, new Map());
    put(target.get(head), value, rest);
  } else if (!target.has(head)) target.set(head, toCel(value));
}

/** Undefined where it is not there. Inherited properties are not there. */
export function valueAt(scope: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, part) => own(at, part), scope);
}

function own(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Fields)[name];
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
