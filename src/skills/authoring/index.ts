export { migratePack } from './migrate-pack.js';
export { type NewPack, newPack, PACK_TYPES } from './new-pack.js';
