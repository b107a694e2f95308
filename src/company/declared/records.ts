import type {
  EntityRecord,
  EntityWords,
  RecordFact,
  RecordRow,
  RecordSection,
} from '../../core/domain/entity.js';
import { isObject, type JsonObject, type JsonValue } from '../../core/domain/json.js';
import { inLanguage } from '../../core/domain/language.js';
import type { Sentences } from '../../core/i18n/index.js';
import type { Expressions, Formula } from '../../core/ports/expressions.js';
import type { CustomerRecords } from '../../core/ports/index.js';
import type { Asker } from './asking.js';
import type { RecordsSpec } from './schemas.js';
import { compileAll, holds, isoTime } from './values.js';

/** An entity whose records are read as YAML says. */
export interface RecordEntity {
  readonly words: EntityWords;
  readonly spec: RecordsSpec;
}

/** The customers' records of every entity that declares how they are read. */
export function declaredRecords(
  entities: readonly RecordEntity[],
  currency: string,
  asker: Asker,
  expressions: Expressions,
): CustomerRecords {
  const compiled = new Map(
    entities.map(({ words, spec }) => {
      const { upcoming, ...fields } = spec.fields;
      const declared = Object.entries(fields).flatMap(([name, text]) =>
        text ? [[name, text] as const] : [],
      );
      return [
        words.id,
        {
          spec,
          fields: compileAll(Object.fromEntries(declared), expressions),
          attributes: compileAll(spec.attributes, expressions),
          upcoming: expressions.formula(upcoming),
        },
      ] as const;
    }),
  );
  const read = async (entity: string, customerId: string): Promise<readonly EntityRecord[]> => {
    const one = compiled.get(entity);
    if (!one) return [];
    const rows = await asker.read({ ...one.spec.read, one: false }, { customer_id: customerId });
    return (Array.isArray(rows) ? rows : []).flatMap((row): readonly EntityRecord[] => {
      if (!isObject(row)) return [];
      const value = valuesOf(one.fields, row);
      const id = value('id');
      if (id === null) return [];
      const amount = value('amount');
      return [
        {
          entity,
          id: String(id),
          title: String(value('title') ?? id),
          status: String(value('status') ?? ''),
          startsAt: isoTime(value('starts_at')),
          place: textOf(value('place')),
          amount: amount === null ? null : { minorUnits: Number(amount), currency },
          upcoming: holds(one.upcoming, { row }),
          attributes: Object.fromEntries(
            [...one.attributes].map(([name, formula]) => [name, plainOf(formula.value({ row }) ?? null)]),
          ),
        },
      ];
    });
  };
  return {
    async list(customerId, entity) {
      const wanted = entity === undefined ? [...compiled.keys()] : [entity];
      const all = (await Promise.all(wanted.map((one) => read(one, customerId)))).flat();
      return [...all.filter(({ upcoming }) => upcoming), ...all.filter(({ upcoming }) => !upcoming)];
    },
    find: async (entity, customerId, id) =>
      (await read(entity, customerId)).find((record) => record.id === id) ?? null,
    sections: async (customerId, texts) =>
      Promise.all(
        entities.map(async ({ words, spec }): Promise<RecordSection> => {
          const records = await read(words.id, customerId);
          return {
            id: words.id,
            label: inLanguage(spec.label, texts.language) ?? words.id,
            kind: 'list',
            empty: inLanguage(spec.empty, texts.language) ?? '',
            rows: records.map((record) => rowOf(record, spec, texts)),
          };
        }),
      ),
  };
}

function valuesOf(fields: ReadonlyMap<string, Formula>, row: JsonObject): (name: string) => JsonValue {
  return (name) => fields.get(name)?.value({ row }) ?? null;
}

function textOf(value: JsonValue): string | null {
  return value === null || value === '' ? null : String(value);
}

function plainOf(value: JsonValue): string | number | boolean | null {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}

function rowOf(
  { id, title, status, startsAt, place, amount }: EntityRecord,
  spec: RecordsSpec,
  texts: Sentences,
): RecordRow {
  const declared = Object.hasOwn(spec.statuses, status) ? spec.statuses[status] : undefined;
  const label = declared && inLanguage(declared.label, texts.language);
  const facts: RecordFact[] = [];
  if (startsAt !== null) facts.push({ label: null, type: 'time', value: startsAt });
  if (place !== null) facts.push({ label: null, type: 'text', value: place });
  if (amount !== null)
    facts.push({ label: null, type: 'money', value: amount.minorUnits, currency: amount.currency });
  return {
    ...{ id, title, facts },
    status: status === '' ? null : { value: status, label: label ?? status, tone: declared?.tone ?? 'plain' },
  };
}
