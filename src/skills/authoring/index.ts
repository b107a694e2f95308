export { migratePack } from './migrate-pack.js';
export { draftFrom, draftWithModel, type NewPack, newPack, PACK_TYPES, type PackSource } from './new-pack.js';
