export { testCasesOf } from './draft.js';
export {
  type LoadedSkills,
  loadSkillFolders,
  validateFolder,
} from './load-folders.js';
export { type LoadOptions, loadPackFromFiles } from './load-pack.js';
export type { Catalog, Pack, PackFault, PackFiles } from './pack.js';
export { createCatalog } from './pack.js';
export { readPackFiles, stampOf } from './read-files.js';
