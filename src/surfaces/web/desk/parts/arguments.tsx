import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { RecordFact, RecordRow, RecordSection } from '../../shared/api-types.js';
import { COMPANY } from '../../shared/company.js';
import { Badge } from '../../shared/components/controls.js';
import { type Language, language } from '../../shared/i18n.js';
import { useArgumentLabel, useToolLabel } from '../../shared/labels.js';
import { useStore } from '../../shared/store.js';
import { isMoney } from '../lib/edit-args.js';
import {
  isInternalId,
  isMoment,
  isTerm,
  ownLanguage,
  plainName,
  plainSentence,
  snake,
  withoutIds,
} from '../lib/format.js';
import { useOperators } from '../lib/presence.js';
import { currencyIn, money, term } from '../lib/values.js';
import { useTexts } from '../texts.js';
import { Time } from './time.js';

type Names = Readonly<Record<string, string>>;

const Known = createContext<Names>({});

/** What people call the records that the parts below speak of, by id, beside those that are known around it. */
export function RecordNames({
  value = {},
  children,
}: {
  readonly value?: Names | undefined;
  readonly children: ComponentChildren;
}) {
  const around = useContext(Known);
  return <Known.Provider value={{ ...around, ...value }}>{children}</Known.Provider>;
}

/** What people call a record; null where that is not known. */
export function useRecordName(): (id: string) => string | null {
  const names = useContext(Known);
  return (id) => names[id] ?? null;
}

/** What an argument is called in a form: money with its currency, since it is written as money. */
export function useFieldLabel(): (name: string) => string {
  const label = useArgumentLabel();
  const { sign } = currencyIn(useStore(language), COMPANY.currency);
  return (name) => (isMoney(name) ? `${label(name)} (${sign})` : label(name));
}

/** A sentence of the hub that names records, tools and causes as people do. */
export function Sentence({ text }: { readonly text: string }) {
  return <>{plainSentence(withoutIds(text, useContext(Known)), useToolLabel())}</>;
}

/** Who did something, as the audit has it (`hub`, `customer:ID`, `operator:ID`): by name where that is known. */
export function Doer({ id }: { readonly id: string }) {
  const texts = useTexts();
  const names = useContext(Known);
  const operators = useOperators();
  const [role = '', ...rest] = id.split(':');
  const own = rest.join(':');
  const name = names[own] ?? operators.find((one) => role === 'operator' && one.id === own)?.name;
  return <>{name ?? term(texts.role, role)}</>;
}

/** What a call is given: each value in words. What only an id says stays an id. */
export function ArgumentList({ args }: { readonly args: Readonly<Record<string, unknown>> }) {
  const texts = useTexts();
  const entries = Object.entries(args);
  if (entries.length === 0) return <p class="args args--none">{texts.panel.noArgs}</p>;
  return <Pairs entries={entries} />;
}

/** What a call is given, in one line: what was chosen, and how much or when by name. */
export function ArgumentLine({ args }: { readonly args: Readonly<Record<string, unknown>> }) {
  const label = useArgumentLabel();
  const given = Object.entries(args).filter(([, value]) => typeof value !== 'object' && value !== '');
  if (given.length === 0) return null;
  return (
    <span class="given">
      {given.map(([name, value]) => (
        <span key={name}>
          {typeof value !== 'string' && !isMoney(name) && `${label(name)}: `}
          <ArgumentValue name={name} value={value} />
        </span>
      ))}
    </span>
  );
}

/**
 * Any data that was looked at, as a list of what is called what. Ids of records without a name say nothing, and go; so does what
 * is called by an English name alone, for who reads another language: the finding says it.
 */
export function ExaminedData({ value }: { readonly value: unknown }) {
  const texts = useTexts();
  const names = useContext(Known);
  const shown = useStore(language);
  if (Array.isArray(value)) {
    if (value.length === 0) return <p class="args args--none">{texts.panel.nothingThere}</p>;
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
  if (typeof value !== 'object' || value === null) return <ArgumentValue name="" value={value} />;
  const entries = ownLanguage(Object.entries(value), shown, COMPANY.languages).filter(
    ([name, one]) =>
      (shown === 'en' || isNamed(name)) &&
      (typeof one !== 'string' || names[one] !== undefined || !isInternalId(one)),
  );
  return <Pairs entries={entries} />;
}

const isNamed = (name: string): boolean => COMPANY.arguments[snake(name)] !== undefined;

function Pairs({ entries }: { readonly entries: readonly (readonly [string, unknown])[] }) {
  const label = useArgumentLabel();
  return (
    <dl class="args">
      {entries
        .map(([written, value]) => [snake(written), value] as const)
        .map(([name, value]) => (
          <div key={name} class="args__pair">
            <dt>{isNamed(name) ? label(name) : plainName(name)}</dt>
            <dd>
              <ArgumentValue name={name} value={value} />
            </dd>
          </div>
        ))}
    </dl>
  );
}

function ArgumentValue({ name, value }: { readonly name: string; readonly value: unknown }) {
  const texts = useTexts();
  const names = useContext(Known);
  const toolLabel = useToolLabel();
  const shown = useStore(language);
  if (value === null || value === undefined || value === '') return <>–</>;
  if (typeof value === 'boolean' || (name.startsWith('is_') && (value === 0 || value === 1)))
    return <>{value ? texts.panel.yes : texts.panel.no}</>;
  if (typeof value === 'number') return <>{numberText(name, value, shown)}</>;
  if (typeof value === 'object') return <ExaminedData value={value} />;
  const text = String(value);
  const known = names[text];
  if (known !== undefined) return <>{known}</>;
  if (isMoment(text)) return <Time at={text} />;
  if (COMPANY.tools[text] !== undefined) return <>{toolLabel(text)}</>;
  if (isTerm(text)) return <>{term({ ...texts.act.values, ...texts.status }, text)}</>;
  return <>{text}</>;
}

/** A number of an argument as people write it. */
export function numberText(name: string, value: number, shown: Language): string {
  if (isMoney(name)) return money(value, shown, COMPANY.currency);
  return new Intl.NumberFormat(shown, { maximumFractionDigits: 2 }).format(value);
}

const TONES = { plain: 'plain', good: 'good', warn: 'sun', bad: 'bad' } as const;

/** What the company has on record of one kind: labels and values are the company's own. */
export function Records({ section: { kind, rows, empty } }: { readonly section: RecordSection }) {
  if (rows.length === 0) return <p class="soft">{empty}</p>;
  if (kind === 'facts') return rows.map((row) => <Facts key={row.id} row={row} />);
  return (
    <ul class="ledger">
      {rows.map((row) => (
        <Entry key={row.id} row={row} />
      ))}
    </ul>
  );
}

/** A record of which there is one: each fact on a line of its own. */
function Facts({ row: { title, status, facts } }: { readonly row: RecordRow }) {
  return (
    <>
      <p class="record__title">
        {title} <Status status={status} />
      </p>
      <dl class="facts">
        {facts.map((fact, at) => (
          <div key={at}>
            <dt>{fact.label}</dt>
            <dd>
              <Value fact={fact} />
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

/** One record of many: what it is to the left, where it stands and what it cost to the right. */
function Entry({ row: { title, status, facts } }: { readonly row: RecordRow }) {
  const amounts = facts.filter(({ type }) => type === 'money' || type === 'number');
  const others = facts.filter((fact) => !amounts.includes(fact));
  return (
    <li>
      <span class="ledger__what">
        {title}
        {others.map((fact, at) => (
          <Labelled key={at} fact={fact} />
        ))}
      </span>
      <span class="ledger__state">
        <Status status={status} />
        {amounts.map((fact, at) => (
          <Labelled key={at} fact={fact} />
        ))}
      </span>
    </li>
  );
}

function Labelled({ fact }: { readonly fact: RecordFact }) {
  return (
    <small>
      {fact.label !== null && `${fact.label}: `}
      <Value fact={fact} />
    </small>
  );
}

function Status({ status }: Pick<RecordRow, 'status'>) {
  return status === null ? null : <Badge tone={TONES[status.tone]}>{status.label}</Badge>;
}

function Value({ fact }: { readonly fact: RecordFact }) {
  const shown = useStore(language);
  if (fact.type === 'time') return <Time at={String(fact.value)} dated />;
  if (fact.type === 'money') return <>{money(Number(fact.value), shown, fact.currency)}</>;
  if (fact.type === 'number') return <>{new Intl.NumberFormat(shown).format(Number(fact.value))}</>;
  return <>{fact.value}</>;
}
