import type { CompositeResult } from '../../../../src/core/domain/composite-result.js';
import type { JsonObject } from '../../../../src/core/domain/json.js';
import type { Pack } from '../../../../src/skills/pack/pack.js';
import { packOf } from '../../../support/skill-packs.js';

/**
 * A composite whose parts are atomic skills named like the parts.
 * @param packs what the skills of parts say beside their name, or whole packs
 */
export function composite(
  parts: readonly JsonObject[],
  more: JsonObject = {},
  packs: Readonly<Record<string, JsonObject | Pack>> = {},
): Pack {
  const names = parts.filter((part) => part.skill === undefined).map(({ name }) => String(name));
  return packOf(
    {
      id: 'whole',
      title: 'The whole',
      sub_skills: parts.map((part) =>
        part.skill === undefined ? { path: `./sub_skills/${String(part.name)}`, ...part } : part,
      ),
      ...more,
    },
    {
      parts: Object.fromEntries(
        names.map((name) => {
          const given = packs[name] ?? {};
          return [name, isPack(given) ? given : packOf({ id: name, ...given })];
        }),
      ),
    },
  );
}

function isPack(value: JsonObject | Pack): value is Pack {
  return 'descriptor' in value;
}

/** How each step ended. */
export function statuses(result: CompositeResult): Record<string, string> {
  return Object.fromEntries(result.detailed_results.map(({ step, status }) => [step, status]));
}
