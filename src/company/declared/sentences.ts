import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { IntlMessageFormat } from 'intl-messageformat';
import type { Language } from '../../core/domain/taxonomy.js';
import { HubError } from '../../core/errors.js';
import type { TextValue, TextValues } from '../../core/i18n/index.js';
import { parseYaml } from '../yaml-text.js';

type Ast = ReturnType<IntlMessageFormat['getAst']>;

/** What a message chooses by stands apart from what it says, so that no text of a customer chooses anything. */
const CHOICE = '?';

type Element = Ast[number] & { value?: string };

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
 * What tools and entities in YAML say in these languages, by `NAME.PART` (`says` of a tool), `status.ENTITY.STATUS`
 * and `attribute.ENTITY.ID`; a folder that is not there has none.
 */
export function declaredSentences(
  folder: string,
  languages: readonly Language[],
): ReadonlyMap<Language, ReadonlyMap<string, Sentence>> {
  const texts = new Map(languages.map((language) => [language, new Map<string, Sentence>()]));
  const add = (file: string, key: string, given: unknown): void => {
    for (const [language, sentences] of texts) {
      const said = (given as Readonly<Record<string, unknown>> | null)?.[language];
      if (typeof said === 'string') sentences.set(key, { file, text: said });
    }
  };
  for (const { file, content } of declaredFiles(folder)) {
    const name = basename(file, '.yaml');
    const { says, records, attributes } = content;
    for (const [part, given] of Object.entries(says ?? {})) add(file, `${name}.${part}`, given);
    for (const [status, given] of Object.entries(records?.statuses ?? {}))
      add(file, `status.${name}.${status}`, given?.label);
    for (const { id, says } of attributes ?? []) if (says) add(file, `attribute.${name}.${id}`, says);
  }
  return texts;
}

interface DeclaredFile {
  readonly says?: Readonly<Record<string, unknown>>;
  readonly attributes?: readonly { readonly id?: string; readonly says?: unknown }[];
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
    return parseYaml(readFileSync(file, 'utf8'));
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
    throw new HubError('config_invalid', `The file ${file} cannot be read: ${reason}`, { file });
  }
}

/** A message of a text file, ready to be filled. @throws Error where it is none */
export function compileMessage(text: string, language: string): IntlMessageFormat {
  const message = new IntlMessageFormat(text, language, undefined, { ignoreTag: true });
  for (const element of elementsOf(message.getAst())) {
    // 5 is a select, in the parser's numbering.
    if (element.type === 5) element.value = `${element.value}${CHOICE}`;
  }
  return message;
}

/** What a compiled message is filled with. */
export function messageValues(values: TextValues): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => [
      [name, typeof value === 'number' ? value : String(value ?? '')],
      [`${name}${CHOICE}`, choiceOf(value)],
    ]),
  );
}

function choiceOf(value: TextValue): string {
  if (value === null || value === '') return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const text = String(value);
  return text === 'none' || text in Object.prototype ? 'other' : text;
}

/** What a message is filled with, and whether it chooses by true or false, which no value is. @throws Error where it is none */
export function readMessage(text: string, language: string) {
  const elements = elementsOf(compileMessage(text, language).getAst());
  const named = elements.filter(({ type }) => type !== 0 && type !== 7);
  const names = [...new Set(named.map(({ value }) => String(value).replace(CHOICE, '')))];
  return { names, choosesByTrue: elements.some(choosesByTrue) };
}

function choosesByTrue(element: Ast[number]): boolean {
  return (
    'options' in element &&
    (Object.hasOwn(element.options, 'true') || Object.hasOwn(element.options, 'false'))
  );
}

/** All elements of a message, those within its branches too. */
function elementsOf(ast: Ast): readonly Element[] {
  return ast.flatMap((element) => {
    const branches = 'options' in element ? Object.values(element.options) : [];
    return [element, ...branches.flatMap(({ value }) => elementsOf(value))];
  });
}
