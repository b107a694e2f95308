import { existsSync } from 'node:fs';
import type { DataSources } from '../core/ports/index.js';
import type { SkillPacks } from '../core/workbench.js';
import { draftFrom, migratePack, newPack } from './authoring/index.js';
import { compositeToMermaid } from './composite/mermaid.js';
import { tellingFaults } from './left-out.js';
import { loadSkillFolders, validateFolder } from './pack/index.js';
import type { Catalog } from './pack/pack.js';
import { createReaches } from './reach.js';
import { treeToMermaid } from './tree/mermaid.js';

/**
 * What an author does with the files of packs alone.
 * @param dirs absolute paths of the configured skills folders
 * @param loaded the packs, where they are loaded already; else they are when they are first asked for
 */
export function createPackTools(
  dirs: readonly string[],
  isCustomersOwn: DataSources['isCustomersOwn'],
  loaded?: Catalog,
): SkillPacks {
  let known = loaded;
  const catalog = (): Catalog => {
    known ??= tellingFaults(loadSkillFolders(dirs));
    return known;
  };
  return {
    list: () => catalog().list().map(createReaches(catalog(), isCustomersOwn).summary),
    async validate(path) {
      // All folders at once, since the packs of one may use prompts and skills of another.
      const { packs, faults } = path === undefined ? loadSkillFolders(dirs) : validateFolder(path);
      return { packs, faults };
    },
    async create({ id, type, dir, from }) {
      const target = dir ?? dirs.find(existsSync) ?? dirs[0] ?? 'skills';
      return from === undefined ? newPack({ id, type, dir: target }) : draftFrom({ id, dir: target }, from);
    },
    migrate: async (path) => migratePack(path),
    graph(skillId, version) {
      const pack = catalog().get(skillId, version);
      return pack.tree ? treeToMermaid(pack) : compositeToMermaid(pack, catalog());
    },
  };
}
