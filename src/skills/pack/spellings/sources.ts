import type { YAMLMap } from 'yaml';
import { respellCredentials } from './credentials.js';
import { entriesOf, mapOf, pairOf, type Respelling, textAt } from './respelling.js';

/** `data_sources` without kinds, with HTTP sources in a group of their own, and with credentials of other systems. */
export function respellSources(page: Respelling, sources: YAMLMap): void {
  ungroup(page, sources);
  for (const { key, pair } of entriesOf(sources)) {
    const source = mapOf(pair.value);
    if (source === null) continue;
    const kind = source.has('kind') ? null : kindOf(key, source);
    if (kind !== null) {
      page.warn(
        pair,
        'older_spelling',
        `The source ${key} has no kind; it is read as "kind: ${kind}". Write it.`,
      );
      page.put(source, 'kind', kind, pair);
      if (kind !== 'http' && !source.has('url')) {
        const url = `env:${key.toUpperCase()}_URL`;
        const message = `The source ${key} has no address; it is taken from a variable. Write url: ${url}.`;
        page.warn(pair, 'older_spelling', message);
        page.put(source, 'url', url, pair);
      }
    }
    respellCredentials(page, source, key);
  }
}

/** `apis: { partner: { endpoint } }` is a group; each is a source like the others. */
function ungroup(page: Respelling, sources: YAMLMap): void {
  const group = pairOf(sources, 'apis');
  const members = mapOf(group?.value);
  if (group === undefined || members === null || members.has('kind') || members.has('endpoint')) return;
  const names = entriesOf(members).map(({ key }) => key);
  if (names.some((name) => sources.has(name))) return;
  const message = `The group "apis:" is an older form; write ${names.join(' and ')} directly under data_sources.`;
  page.warn(group, 'older_spelling', message);
  sources.items = sources.items.filter((pair) => pair !== group);
  sources.items.push(...members.items);
}

function kindOf(name: string, source: YAMLMap): 'http' | 'postgres' | 'clickhouse' | null {
  if (source.has('endpoint')) return 'http';
  const words = `${name} ${textAt(source, 'service') ?? ''} ${textAt(source, 'url') ?? ''}`.toLowerCase();
  if (/redshift|postgres/.test(words)) return 'postgres';
  return /clickhouse|signoz/.test(words) ? 'clickhouse' : null;
}
