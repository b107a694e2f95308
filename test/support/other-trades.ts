import type { EntityWords } from '../../src/core/domain/entity.js';
import { createSlots } from '../../src/nlu/slots/index.js';

const NO_WORDS = { en: [], 'pt-BR': [] };
const PLAIN = {
  also: NO_WORDS,
  kinds: NO_WORDS,
  parts: {},
  single: false,
  ids: null,
  said: {},
  titles: { same: [], common: [], never: [] },
  places: [],
  attributes: [],
} satisfies Partial<EntityWords>;

/** Readers of slots for a clinic, which gives appointments. */
export const CLINIC = createSlots({
  companyName: 'Riverside',
  currency: 'EUR',
  timeZone: 'Europe/Lisbon',
  languages: ['en', 'pt-BR'],
  entities: [
    {
      ...PLAIN,
      id: 'appointment',
      nouns: { en: ['appointment'], 'pt-BR': ['consulta'] },
      kinds: { en: ['cleaning', 'checkup', 'x-ray'], 'pt-BR': ['limpeza', 'exame'] },
      ids: { prefixes: ['apt'], letter: null, digits: 4 },
      said: { missed: { en: ['overslept'], 'pt-BR': ['esqueci de ir'] } },
      titles: { same: [['cleaning', 'limpeza']], common: ['appointment', 'consulta'], never: ['dentist'] },
    },
    { ...PLAIN, id: 'cover', nouns: { en: ['cover'], 'pt-BR': ['convenio'] }, single: true },
  ],
});
/** Readers of slots for a parcel service, whose shipments need not have a time. */
export const PARCELS = createSlots({
  companyName: 'Swift',
  currency: 'USD',
  timeZone: 'America/New_York',
  languages: ['en', 'pt-BR'],
  entities: [
    {
      ...PLAIN,
      id: 'shipment',
      nouns: { en: ['shipment', 'parcel'], 'pt-BR': ['encomenda'] },
      also: { en: ['package', 'delivery'], 'pt-BR': ['pacote', 'entrega'] },
      ids: { prefixes: ['shp'], letter: 's', digits: 6 },
    },
  ],
});
