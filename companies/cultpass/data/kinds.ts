import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';

const schema = z.object({
  kinds: z.record(
    z.string(),
    z.object({ asked: z.array(z.string()), found: z.array(z.string()).optional() }),
  ),
  broad: z.array(z.string()),
  audiences: z.array(z.string()),
});

/** The kinds of experiences there are. Words are without accents. */
export interface Kinds {
  /** Name of a kind by each word that customers have for it. */
  readonly named: ReadonlyMap<string, string>;
  /** Words and phrases that entries of a kind say, by its name. */
  readonly found: ReadonlyMap<string, readonly string[]>;
  readonly broad: ReadonlySet<string>;
  readonly audiences: ReadonlySet<string>;
}

let kept: Kinds | undefined;

/** The kinds that stand beside this file, read once a process: all that ask for programmes go by them. */
export function readKinds(): Kinds {
  kept ??= read();
  return kept;
}

function read(): Kinds {
  const text = readFileSync(new URL('./kinds.yaml', import.meta.url), 'utf8');
  const { kinds, broad, audiences } = schema.parse(parse(text));
  const all = Object.entries(kinds);
  return {
    named: new Map(all.flatMap(([kind, { asked }]) => asked.map((word) => [word, kind] as const))),
    found: new Map(all.map(([kind, { found }]) => [kind, found ?? [kind]])),
    broad: new Set(broad),
    audiences: new Set(audiences),
  };
}
