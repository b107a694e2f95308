export { createCatalog } from './catalog.js';
export { type PackTestCase, testCasesOf } from './draft.js';
export {
  type LoadedSkills,
  loadSkillFolders,
  type ValidationReport,
  validateFolder,
} from './load-folders.js';
export { type LoadedPack, type LoadOptions, loadPackFromFiles } from './load-pack.js';
export type { Catalog, Pack, PackFault, PackFiles } from './pack.js';
export { readPackFiles, stampOf } from './read-files.js';
export { createRegistry, type Registry, registryFilesOf } from './registry.js';
