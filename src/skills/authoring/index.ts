export { migratePack } from './migrate-pack.js';
export { draftFrom, draftWithModel, newPack, PACK_TYPES } from './new-pack.js';
