import type { Operator } from '../../../src/core/domain/customer.js';

/** Who decides in these tests. */
export const OPERATOR: Operator = { operatorId: 'op_1', name: 'Olga' };
