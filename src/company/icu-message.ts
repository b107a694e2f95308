import { IntlMessageFormat } from 'intl-messageformat';
import type { TextValue, TextValues } from '../core/i18n/index.js';

type Ast = ReturnType<IntlMessageFormat['getAst']>;

/** What a message chooses by stands apart from what it says, so that no text of a customer chooses anything. */
const CHOICE = '?';

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

type Element = Ast[number] & { value?: string };

/** All elements of a message, those within its branches too. */
function elementsOf(ast: Ast): readonly Element[] {
  return ast.flatMap((element) => {
    const branches = 'options' in element ? Object.values(element.options) : [];
    return [element, ...branches.flatMap(({ value }) => elementsOf(value))];
  });
}
