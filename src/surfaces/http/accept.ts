/** Weight the client gives a media type, 0 where it refuses it; the most exact range counts (RFC 9110, 12.5.1). */
function weightOf(accept: string, type: string): number {
  const [major] = type.split('/');
  let best = { exactness: -1, weight: 0 };
  for (const range of accept.split(',').slice(0, 50)) {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const exactness = [`*/*`, `${major}/*`, type].indexOf(name);
    if (exactness <= best.exactness) continue;
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    const weight = quality === undefined ? 1 : Number(quality);
    best = { exactness, weight: Number.isFinite(weight) ? Math.min(1, Math.max(0, weight)) : 1 };
  }
  return best.weight;
}

/** True where the client can read this type; without an `Accept` header it reads everything. */
export function accepts(accept: string | undefined, type: string): boolean {
  return accept === undefined || accept.trim() === '' || weightOf(accept, type) > 0;
}

/** True where the client asked for an event stream in so many words, at least as much as for JSON. */
export function wantsStream(accept: string | undefined): boolean {
  if (accept === undefined || !/text\/event-stream/i.test(accept)) return false;
  const stream = weightOf(accept, 'text/event-stream');
  return stream > 0 && (stream >= weightOf(accept, 'application/json') || !/json/i.test(accept));
}
