export * from './cancellation.js';
export * from './policy.js';
export * from './refund.js';
export * from './service-level.js';
export * from './subscription.js';
export * from './verdict.js';
