export * from './policy.js';
export * from './service-level.js';
