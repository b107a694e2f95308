import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import type { Language } from '../../core/domain/taxonomy.js';
import { HubError } from '../../core/errors.js';

/** A sentence, and the file that it stands in. */
interface Sentence {
  readonly file: string;
  readonly text: string;
}

/** Where tools and entities stand. */
const ROOMS = ['actions', 'reads', 'entities'] as const;

/** Which of these files is that of a tool or an entity; null where none is. */
export function declaredIn(folder: string, files: readonly string[]): string | null {
  const own = ROOMS.map((room) => join(folder, room));
  return files.find((file) => own.some((room) => file.startsWith(room))) ?? null;
}

/**
 * What tools and entities in YAML say, by `NAME.PART` (`says` of a tool) and `status.ENTITY.STATUS`; a folder that is not
 * there has none.
 */
export function declaredSentences(folder: string, language: Language): ReadonlyMap<string, Sentence> {
  const texts = new Map<string, Sentence>();
  const add = (file: string, key: string, given: unknown): void => {
    const said = (given as Readonly<Record<string, unknown>> | null)?.[language];
    if (typeof said === 'string') texts.set(key, { file, text: said });
  };
  for (const { file, content } of declaredFiles(folder)) {
    const name = basename(file, '.yaml');
    const { says, records } = content;
    for (const [part, given] of Object.entries(says ?? {})) add(file, `${name}.${part}`, given);
    for (const [status, given] of Object.entries(records?.statuses ?? {}))
      add(file, `status.${name}.${status}`, given?.label);
  }
  return texts;
}

interface DeclaredFile {
  readonly says?: Readonly<Record<string, unknown>>;
  readonly records?: { readonly statuses?: Readonly<Record<string, { readonly label?: unknown } | null>> };
}

function declaredFiles(folder: string) {
  return ROOMS.flatMap((room) => {
    const path = join(folder, room);
    const names = existsSync(path) ? readdirSync(path).filter((name) => name.endsWith('.yaml')) : [];
    return names.sort().map((name) => {
      const file = join(path, name);
      return { file, content: (readAny(file) ?? {}) as DeclaredFile };
    });
  });
}

/** Only sentences are taken from it; its shape is checked where the tools are made. @throws HubError `config_invalid` */
function readAny(file: string): unknown {
  try {
    return parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
    throw new HubError('config_invalid', `The file ${file} cannot be read: ${reason}`, { file });
  }
}
