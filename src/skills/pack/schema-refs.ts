import { posix } from 'node:path';
import { isObject, type JsonObject, type JsonValue } from '../../core/domain/json.js';
import { didYouMean } from '../../core/spelling.js';
import { DATA_KEYWORDS, SCHEMA_MAPS } from '../json-schema-walk.js';
import type { Checked } from './checked-file.js';
import type { PackFiles } from './pack.js';
import { safePath, unsafePathMessage } from './read-files.js';
import type { FaultList } from './schema-faults.js';
import type { NodePath } from './text-file.js';

/** A schema that is nothing but a reference may lead to another such file, this often. */
const MAX_STEPS = 20;

/**
 * A JSON Schema with its references to files of the pack (`$ref: schemas/input.json`) replaced by what the files hold. A file
 * with references of its own becomes an entry of `$defs`, so that schemas may be recursive and none grows without end. What
 * is wrong is noted: a file that is missing where it is named, one that cannot be read in itself.
 * @param path where the schema is in the file
 */
export function inlineSchema(
  checked: Checked<unknown>,
  path: NodePath,
  schema: JsonObject,
  files: PackFiles,
  faults: FaultList,
): JsonObject {
  return new Bundle(checked, path, files, faults).of(schema);
}

/** The place a reference stands in: the schema itself, or a file that was put under `$defs`. */
interface Place {
  /** The file, which its references are relative to; null for the schema in skill.yaml or api_mappings.yaml. */
  readonly file: string | null;
  /** What `#` means there: `#`, or `#/$defs/name`. */
  readonly root: string;
  /** In the checked file; faults of references are reported here. */
  readonly path: NodePath;
}

class Bundle {
  readonly #roots = new Map<string, string>();
  readonly #defs = new Map<string, JsonValue>();

  constructor(
    private readonly checked: Checked<unknown>,
    private readonly path: NodePath,
    private readonly files: PackFiles,
    private readonly faults: FaultList,
  ) {}

  of(schema: JsonObject): JsonObject {
    let root = schema;
    let file: string | null = null;
    let steps = 0;
    for (let named = onlyFile(root); named !== null && steps < MAX_STEPS; named = onlyFile(root)) {
      const next = this.#find(named, { file, root: '#', path: this.path });
      const content = next === null ? null : this.#read(next);
      if (next === null || content === null) return {};
      file = next;
      root = content;
      steps += 1;
    }
    if (steps === MAX_STEPS) {
      const message = `${file} leads to other files that lead back to it, and none holds a schema. Write one of them.`;
      this.checked.note([...this.path, '$ref'], 'invalid_schema', message);
      return {};
    }
    if (file !== null) this.#roots.set(file, '#');
    const whole = this.#rewrite(root, { file, root: '#', path: this.path });
    if (!isObject(whole)) return {};
    if (this.#defs.size === 0) return whole;
    return {
      ...whole,
      $defs: { ...(isObject(whole.$defs) ? whole.$defs : {}), ...Object.fromEntries(this.#defs) },
    };
  }

  #rewrite(value: JsonValue | undefined, place: Place): JsonValue | undefined {
    if (Array.isArray(value)) return value.map((entry: JsonValue) => this.#rewrite(entry, place) ?? null);
    if (!isObject(value)) return value;
    const { $ref, ...others } = value;
    if (typeof $ref === 'string' && isFile($ref)) return this.#refer($ref, others, place);
    const fields = Object.entries(value).map(([key, field]) => {
      if (DATA_KEYWORDS.has(key)) return [key, field] as const;
      if (SCHEMA_MAPS.has(key)) return [key, this.#rewriteEach(field, beneath(place, key))] as const;
      if (key === '$ref' && typeof field === 'string') return [key, local(field, place.root)] as const;
      return [key, this.#rewrite(field, beneath(place, key))] as const;
    });
    return Object.fromEntries(fields);
  }

  #rewriteEach(schemas: JsonValue | undefined, place: Place): JsonValue | undefined {
    if (!isObject(schemas)) return schemas;
    const all = Object.entries(schemas);
    return Object.fromEntries(all.map(([name, one]) => [name, this.#rewrite(one, beneath(place, name))]));
  }

  #refer(ref: string, others: JsonObject, place: Place): JsonValue {
    const file = this.#find(ref, place);
    if (file === null) return {};
    const fragment = ref.includes('#') ? ref.slice(ref.indexOf('#')) : '#';
    const besides = Object.keys(others).length > 0 ? this.#rewrite(others, place) : {};
    const known = this.#roots.get(file);
    if (known !== undefined) return { ...(besides as JsonObject), $ref: local(fragment, known) };
    const content = this.#read(file);
    if (content === null) return {};
    if (fragment === '#' && !JSON.stringify(content).includes('"$ref"'))
      return { ...content, ...(besides as JsonObject) };
    const name = `file_${this.#roots.size}_${file.replace(/\W+/g, '_')}`;
    const root = `#/$defs/${name}`;
    this.#roots.set(file, root);
    // Its place is held first: it may refer to itself.
    this.#defs.set(name, {});
    this.#defs.set(name, this.#rewrite(content, { ...place, file, root }) ?? {});
    return { ...(besides as JsonObject), $ref: local(fragment, root) };
  }

  /** The file a reference names, relative to the one it is in or to the pack; null, and noted, where there is none. */
  #find(ref: string, { file, path }: Place): string | null {
    const [named = ''] = ref.split('#');
    const beside = file === null ? null : safePath(posix.normalize(posix.join(posix.dirname(file), named)));
    const inPack = safePath(named);
    const found = [beside, inPack].find((one) => one !== null && Object.hasOwn(this.files, one));
    if (found !== undefined && found !== null) return found;
    const at = [...path, '$ref'];
    if (beside === null && inPack === null) this.checked.note(at, 'unsafe_path', unsafePathMessage(named));
    else {
      const known = Object.keys(this.files).filter((name) => name.endsWith('.json'));
      const wanted = beside ?? inPack ?? named;
      const message = `The pack has no file ${wanted}.${didYouMean(wanted, known)}`;
      this.checked.note(at, 'missing_schema', message);
    }
    return null;
  }

  #read(file: string): JsonObject | null {
    const { value } = this.faults.read(file, this.files[file] ?? '');
    if (value === undefined || isObject(value)) return value ?? null;
    this.faults.add(file, 1, 'invalid_schema', `${file} must hold a JSON Schema, which is an object.`);
    return null;
  }
}

/** The file of a schema that is nothing but a reference to one. */
function onlyFile(schema: JsonObject): string | null {
  const { $ref } = schema;
  const only = typeof $ref === 'string' && Object.keys(schema).length === 1;
  return only && isFile($ref) && !$ref.includes('#') ? $ref : null;
}

/** Within the checked file the path goes along; within another file it stays at what names it. */
function beneath(place: Place, key: string): Place {
  return place.file === null ? { ...place, path: [...place.path, key] } : place;
}

/** `#/x` of a place, from the root of the whole. A `$anchor` is known in all of it. */
function local(ref: string, root: string): string {
  if (root === '#' || !(ref === '#' || ref.startsWith('#/'))) return ref;
  return `${root}${ref.slice(1)}`;
}

/** `#/$defs/x` is no file, and an address is refused by the check of the schema. */
function isFile(ref: string): boolean {
  return ref !== '' && !ref.startsWith('#') && !/^[a-z][a-z0-9+.-]*:/i.test(ref);
}
