import { existsSync } from 'node:fs';
import { HubError } from '../core/errors.js';
import type { DataSources } from '../core/ports/index.js';
import type { SkillPacks } from '../core/workbench.js';
import { migratePack } from './authoring/migrate-pack.js';
import { draftFrom, draftWithModel, newPack } from './authoring/new-pack.js';
import { createReaches } from './composite/composite-env.js';
import { compositeToMermaid, treeToMermaid } from './mermaid.js';
import { type LoadedSkills, loadSkillFolders, validateFolder } from './pack/index.js';
import { type Catalog, isFault, type PackFault } from './pack/pack.js';
import type { Asking } from './routing/ask-model.js';

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

/**
 * What an author does with the files of packs alone.
 * @param dirs absolute paths of the configured skills folders
 * @param catalog the packs; asked for when they are first needed
 * @param asking the model that drafts of packs are asked of; rules make them where absent
 */
export function createPackTools(
  dirs: readonly string[],
  isCustomersOwn: DataSources['isCustomersOwn'],
  catalog: () => Catalog,
  asking?: () => Asking,
): SkillPacks {
  return {
    list: () => catalog().list().map(createReaches(catalog(), isCustomersOwn).summary),
    async validate(path) {
      // All folders at once, since the packs of one may use prompts and skills of another.
      const { packs, faults } = path === undefined ? loadSkillFolders(dirs) : validateFolder(path);
      return { packs, faults };
    },
    async create({ id, type, dir, from }) {
      const target = dir ?? dirs.find(existsSync) ?? dirs[0] ?? 'skills';
      if (from === undefined) return newPack({ id, type, dir: target });
      if (asking !== undefined) return draftWithModel({ id, dir: target }, from, asking());
      return { ...draftFrom({ id, dir: target }, from), draftedBy: 'rules', reason: 'no model was asked' };
    },
    migrate: async (path) => migratePack(path),
    graph(skillId, version) {
      const pack = catalog().get(skillId, version);
      return pack.tree ? treeToMermaid(pack) : compositeToMermaid(pack, catalog());
    },
  };
}
