export { createCatalog } from './catalog.js';
export { type LoadedSkills, loadSkillFolders } from './load-folders.js';
export { type LoadedPack, type LoadOptions, loadPackFromFiles } from './load-pack.js';
export type { Catalog, Pack, PackFault, PackFiles } from './pack.js';
export { readPackFiles, stampOf } from './read-files.js';
export { createRegistry, type Registry, registryFilesOf } from './registry.js';
export { type PackTestCase, testCasesOf } from './test-cases.js';
export { type ValidationReport, validateFolder } from './validate-folder.js';
