import { CULTPASS_SCOPE } from '../../data/cultpass/customer-scope.js';
import { UDAHUB_SCOPE } from '../../data/udahub/customer-scope.js';

/** By database of the hub: what a customer may see of it. */
export const CUSTOMER_SCOPES = { cultpass: CULTPASS_SCOPE, udahub: UDAHUB_SCOPE } as const;
