export { type NewPack, newPack, PACK_TYPES } from './new-pack.js';
