/** Cities CultPass is in, as customers write them, accents folded. */
const CITIES: Readonly<Record<string, readonly string[]>> = {
  'São Paulo': ['sao paulo', 'sampa', 'sp'],
  'Rio de Janeiro': ['rio de janeiro', 'rio', 'rj'],
  'Belo Horizonte': ['belo horizonte', 'bh', 'beaga'],
  Salvador: ['salvador', 'bahia'],
  Recife: ['recife'],
  Curitiba: ['curitiba'],
  'Porto Alegre': ['porto alegre', 'poa'],
  Brasília: ['brasilia', 'bsb'],
  Fortaleza: ['fortaleza'],
  Belém: ['belem'],
};

const KINDS: Readonly<Record<string, string>> = {
  museum: 'museum',
  museums: 'museum',
  museu: 'museum',
  museus: 'museum',
  concert: 'concert',
  concerts: 'concert',
  concerto: 'concert',
  concertos: 'concert',
  show: 'concert',
  shows: 'concert',
  theatre: 'theatre',
  theater: 'theatre',
  teatro: 'theatre',
  play: 'theatre',
  plays: 'theatre',
  peca: 'theatre',
  dance: 'dance',
  danca: 'dance',
  ballet: 'ballet',
  bale: 'ballet',
  samba: 'samba',
  forro: 'forró',
  choro: 'choro',
  frevo: 'frevo',
  bossa: 'bossa',
  jazz: 'jazz',
  opera: 'opera',
  film: 'film',
  films: 'film',
  filme: 'film',
  cinema: 'cinema',
  movie: 'film',
  exhibition: 'exhibition',
  exhibitions: 'exhibition',
  exposicao: 'exhibition',
  exposicoes: 'exhibition',
  workshop: 'workshop',
  oficina: 'workshop',
  food: 'food',
  comida: 'food',
  gastronomia: 'food',
  literature: 'literature',
  literatura: 'literature',
  orchestra: 'orchestra',
  orquestra: 'orchestra',
  capoeira: 'capoeira',
  photography: 'photography',
  fotografia: 'photography',
};

function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

/** The city a text names, or null. */
export function findCity(text: string): string | null {
  const padded = ` ${fold(text).replace(/[^a-z0-9]+/g, ' ')} `;
  for (const [city, names] of Object.entries(CITIES)) {
    if (names.some((name) => padded.includes(` ${name} `))) return city;
  }
  return null;
}

/** Words that name a kind too broad to prefer over a more exact one. */
const BROAD = new Set(['concert', 'experience']);

/**
 * The kind of experience or quoted title a text asks for, in the programme's language; empty where it names none.
 * "Show de samba" asks for samba.
 */
export function catalogWords(text: string, city: string | null): string {
  const quoted = /["“']([^"”']{3,60})["”']/.exec(text)?.[1];
  if (quoted) return quoted;
  const cityWords = new Set(city ? fold(city).split(' ') : []);
  const kinds = fold(text)
    .split(/[^a-z]+/)
    .filter((word) => !cityWords.has(word))
    .map((word) => KINDS[word])
    .filter((word) => word !== undefined);
  return kinds.find((kind) => !BROAD.has(kind)) ?? kinds[0] ?? '';
}
