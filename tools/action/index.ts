import type { ActionTool } from '../define-tool.js';
import { cancelReservation } from './cancel-reservation.js';
import { processRefund } from './process-refund.js';
import { updateSubscription } from './update-subscription.js';

/** Every tool that changes a customer's data. What they do passes the gates. */
export const ACTIONS: readonly ActionTool[] = [cancelReservation, processRefund, updateSubscription];
