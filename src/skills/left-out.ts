import { HubError } from '../core/errors.js';
import type { LoadedSkills } from './pack/index.js';
import { type Catalog, isFault, type PackFault } from './pack/pack.js';

/** The catalog, which for a skill that was left out because of its faults says so instead of that there is none. */
export function tellingFaults({ catalog, faults }: Pick<LoadedSkills, 'catalog' | 'faults'>): Catalog {
  return {
    list: () => catalog.list(),
    all: () => catalog.all(),
    get(id, range) {
      try {
        return catalog.get(id, range);
      } catch (error) {
        const own = catalog.all().some((pack) => pack.id === id)
          ? []
          : faults.filter((fault) => isFault(fault) && isOf(id, fault));
        throw own.length === 0 ? error : leftOut(id, own);
      }
    },
  };
}

/** A pack's folder has its id for a name. */
function isOf(id: string, { file }: PackFault): boolean {
  return file.split(/[\\/]/).includes(id);
}

function leftOut(id: string, [first, ...others]: readonly PackFault[]): HubError {
  const where = first === undefined ? '' : ` ${first.file}:${first.line} ${first.message}`;
  const more = others.length === 0 ? '' : ` ${others.length} more: npm run skill -- validate lists them.`;
  return new HubError('skill_unknown', `The skill ${id} is left out because of its faults.${where}${more}`, {
    skill: id,
    field: 'skill',
    faults: others.length + 1,
  });
}
