import type { JsonObject, JsonValue } from '../../core/domain/json.js';
import type { Checked } from './checked-file.js';
import { didYouMean } from './nearest.js';
import type { PackFiles } from './pack.js';
import { safePath, unsafePathMessage } from './safe-path.js';
import { type NodePath, readTextFile } from './text-file.js';

const MAX_INLINED = 20;

/**
 * A JSON Schema with its references to files of the pack (`$ref: schemas/input.json`) replaced by what the files hold. A file
 * that is missing or unreadable is noted at the place that names it.
 * @param path where the schema stands in the file
 */
export function inlineSchema(
  checked: Checked<unknown>,
  path: NodePath,
  schema: JsonObject,
  files: PackFiles,
): JsonObject {
  const inlined = inline({ checked, path, files, open: [] }, schema);
  return isObject(inlined) ? inlined : {};
}

interface Inlining {
  readonly checked: Checked<unknown>;
  readonly path: NodePath;
  readonly files: PackFiles;
  /** The files that are being put in, outermost first. */
  readonly open: readonly string[];
}

function inline(work: Inlining, value: JsonValue | undefined): JsonValue | undefined {
  if (Array.isArray(value)) return value.map((entry: JsonValue) => inline(work, entry) ?? null);
  if (!isObject(value)) return value;
  const { $ref } = value;
  if (typeof $ref === 'string' && isFile($ref)) return contents(work, $ref);
  const fields = Object.entries(value).map(([key, field]) => {
    const next = work.open.length > 0 ? work : { ...work, path: [...work.path, key] };
    return [key, inline(next, field)] as const;
  });
  return Object.fromEntries(fields);
}

/** `#/$defs/x` stays as it is, and an address is refused by the check of the schema. */
function isFile(ref: string): boolean {
  return ref !== '' && !ref.startsWith('#') && !/^[a-z][a-z0-9+.-]*:/i.test(ref);
}

function contents(work: Inlining, ref: string): JsonValue {
  const { checked, path, files, open } = work;
  const refuse = (code: string, message: string): JsonValue => {
    checked.note([...path, '$ref'], code, message);
    return {};
  };
  const [named = '', fragment] = ref.split('#');
  const file = safePath(named);
  if (file === null) return refuse('unsafe_path', unsafePathMessage(named));
  if (fragment !== undefined && fragment !== '') {
    return refuse('invalid_schema', `${ref} points into a file; refer to the whole file, ${file}, instead.`);
  }
  if (!Object.hasOwn(files, file)) {
    const known = Object.keys(files).filter((name) => name.endsWith('.json'));
    return refuse('missing_schema', `The pack has no file ${file}.${didYouMean(file, known)}`);
  }
  if (open.includes(file) || open.length > MAX_INLINED) {
    return refuse(
      'invalid_schema',
      `The schema file ${file} contains itself; use $defs and "#/$defs/..." in one file.`,
    );
  }
  const { file: read, faults } = readTextFile(file, files[file] ?? '');
  const [first] = faults;
  if (first !== undefined) return refuse('invalid_schema', `${file}, line ${first.line}: ${first.message}`);
  if (!isObject(read.value)) return refuse('invalid_schema', `${file} must hold a JSON Schema object.`);
  return inline({ ...work, open: [...open, file] }, read.value) ?? {};
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
