import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { COMPANY } from '../../shared/company.js';
import { type Language, language } from '../../shared/i18n.js';
import { useArgumentLabel, useToolLabel } from '../../shared/labels.js';
import { useStore } from '../../shared/store.js';
import {
  isInternalId,
  isMoment,
  isTerm,
  ownLanguage,
  plainName,
  plainSentence,
  snake,
  withoutIds,
} from '../lib/data-words.js';
import { money, term } from '../lib/values.js';
import { useWords } from '../texts.js';
import { Time } from './time.js';

type Names = Readonly<Record<string, string>>;

const Known = createContext<Names>({});

/** What people call the records that the parts below speak of, by id. */
export function RecordNames({
  value = {},
  children,
}: {
  readonly value?: Names | undefined;
  readonly children: ComponentChildren;
}) {
  return <Known.Provider value={value}>{children}</Known.Provider>;
}

/** A sentence of the hub that names records, tools and causes as people do. */
export function Sentence({ text }: { readonly text: string }) {
  return <>{plainSentence(withoutIds(text, useContext(Known)), useToolLabel())}</>;
}

/** Who did something, as the audit has it (`hub`, `customer:ID`, `operator:ID`): by name where that is known. */
export function Doer({ id }: { readonly id: string }) {
  const words = useWords();
  const names = useContext(Known);
  const [role = '', ...rest] = id.split(':');
  return <>{names[rest.join(':')] ?? term(words.role, role)}</>;
}

/** What a call is given: each value in words. What only an id says stays an id. */
export function ArgumentList({ args }: { readonly args: Readonly<Record<string, unknown>> }) {
  const words = useWords();
  const entries = Object.entries(args);
  if (entries.length === 0) return <p class="args args--none">{words.panel.noArgs}</p>;
  return <Pairs entries={entries} />;
}

/** Any data that was looked at, as a list of what is called what. Ids of records without a name say nothing, and go. */
export function ExaminedData({ value }: { readonly value: unknown }) {
  const words = useWords();
  const names = useContext(Known);
  const shown = useStore(language);
  if (Array.isArray(value)) {
    if (value.length === 0) return <p class="args args--none">{words.panel.nothingThere}</p>;
    return (
      <ol class="data">
        {value.map((one, at) => (
          <li key={at}>
            <ExaminedData value={one} />
          </li>
        ))}
      </ol>
    );
  }
  if (typeof value !== 'object' || value === null) return <Value name="" value={value} />;
  const entries = ownLanguage(Object.entries(value), shown, COMPANY.languages).filter(
    ([, one]) => typeof one !== 'string' || names[one] !== undefined || !isInternalId(one),
  );
  return <Pairs entries={entries} />;
}

function Pairs({ entries }: { readonly entries: readonly (readonly [string, unknown])[] }) {
  const label = useArgumentLabel();
  return (
    <dl class="args">
      {entries
        .map(([written, value]) => [snake(written), value] as const)
        .map(([name, value]) => (
          <div key={name} class="args__pair">
            <dt>{COMPANY.arguments[name] === undefined ? plainName(name) : label(name)}</dt>
            <dd>
              <Value name={name} value={value} />
            </dd>
          </div>
        ))}
    </dl>
  );
}

function Value({ name, value }: { readonly name: string; readonly value: unknown }) {
  const words = useWords();
  const names = useContext(Known);
  const toolLabel = useToolLabel();
  const shown = useStore(language);
  if (value === null || value === undefined || value === '') return <>–</>;
  if (typeof value === 'boolean' || (name.startsWith('is_') && (value === 0 || value === 1)))
    return <>{value ? words.panel.yes : words.panel.no}</>;
  if (typeof value === 'number') return <>{numberText(name, value, shown)}</>;
  if (typeof value === 'object') return <ExaminedData value={value} />;
  const text = String(value);
  const known = names[text];
  if (known !== undefined) return <>{known}</>;
  if (isMoment(text)) return <Time at={text} />;
  if (COMPANY.tools[text] !== undefined) return <>{toolLabel(text)}</>;
  if (isTerm(text)) return <>{term({ ...words.act.values, ...words.status }, text)}</>;
  return <>{text}</>;
}

function numberText(name: string, value: number, shown: Language): string {
  if (name.endsWith('_cents')) return money(value, shown, COMPANY.currency);
  return new Intl.NumberFormat(shown, { maximumFractionDigits: 2 }).format(value);
}
