/*
 * Functions that statements may use beside those of SQLite: the ones of PostgreSQL and ClickHouse that ordinary
 * statements need, so that a test case can run them over an SQLite made of fixtures.
 */

const text = (value) => (value === null ? null : String(value));
const lower = (value) => (value === null ? null : String(value).toLowerCase());
const millis = (value) => {
  if (value === null) return null;
  if (typeof value === 'bigint' || typeof value === 'number') return Number(value) * 1_000;
  const at = Date.parse(
    /[zZ]|[+-]\d\d:?\d\d$/.test(value) || !value.includes(':') ? value : `${value.replace(' ', 'T')}Z`,
  );
  return Number.isNaN(at) ? null : at;
};
const iso = (value) => {
  const at = millis(value);
  return at === null ? null : new Date(at).toISOString();
};
const extreme =
  (better) =>
  (...values) => {
    const known = values.filter((value) => value !== null);
    return known.length === 0 ? null : known.reduce((best, value) => (better(value, best) ? value : best));
  };

/** @param now ISO 8601; the real time where absent */
export function addFunctions(db, { now }) {
  const current = () => now ?? new Date().toISOString();
  const add = (name, run, options = {}) => db.function(name, { varargs: true, ...options }, run);
  const pure = { deterministic: true };
  for (const name of ['now', 'now64', 'getdate']) add(name, current);
  add('today', () => current().slice(0, 10));
  add(
    'greatest',
    extreme((a, b) => a > b),
    pure,
  );
  add(
    'least',
    extreme((a, b) => a < b),
    pure,
  );
  for (const name of ['tostring', 'touuid']) add(name, text, pure);
  for (const name of ['todatetime', 'todatetime64', 'parsedatetimebesteffort', 'to_timestamp'])
    add(name, iso, pure);
  add('todate', (value) => iso(value)?.slice(0, 10) ?? null, pure);
  add('tounixtimestamp', (value) => (value === null ? null : Math.floor(millis(value) / 1_000)), pure);
  add('position', (haystack, needle) => text(haystack).indexOf(text(needle)) + 1, pure);
  add('positioncaseinsensitive', (haystack, needle) => lower(haystack).indexOf(lower(needle)) + 1, pure);
  add('startswith', (value, start) => Number(text(value).startsWith(text(start))), pure);
  add('endswith', (value, end) => Number(text(value).endsWith(text(end))), pure);
  add('empty', (value) => Number(value === null || value === ''), pure);
  add('notempty', (value) => Number(value !== null && value !== ''), pure);
  add('starts_with', (value, start) => Number(text(value).startsWith(text(start))), pure);
  add('date_trunc', truncate, pure);
  db.aggregate('countif', {
    start: 0,
    step: (total, condition) => total + (condition ? 1 : 0),
    deterministic: true,
  });
}

/** `date_trunc('day', x)` in UTC. */
function truncate(unit, value) {
  const at = iso(value);
  if (at === null) return null;
  const lengths = { year: 4, month: 7, day: 10, hour: 13, minute: 16, second: 19 };
  const length = lengths[String(unit).toLowerCase()];
  if (length === undefined) throw new Error(`date_trunc knows no ${unit}`);
  return `${at.slice(0, length)}${'0000-01-01T00:00:00'.slice(length)}.000Z`;
}
