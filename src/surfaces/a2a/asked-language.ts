import { LANGUAGES, type Language } from '../../core/domain/taxonomy.js';

/** The language of the hub that an `Accept-Language` header prefers; null where it names none of them. */
export function askedLanguage(header: string | undefined): Language | null {
  const ranges = (header ?? '').slice(0, 500).split(',').map(readRange);
  const wanted = ranges
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ tag }) => LANGUAGES.find((language) => primary(language) === primary(tag)));
  return wanted.find((language) => language !== undefined) ?? null;
}

function readRange(range: string): { readonly tag: string; readonly weight: number } {
  const [tag = '', ...parameters] = range.split(';').map((part) => part.trim());
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  const weight = quality === undefined ? 1 : Number(quality);
  return { tag, weight: Number.isFinite(weight) ? weight : 0 };
}

function primary(tag: string): string {
  return tag.toLowerCase().split('-')[0] ?? '';
}
