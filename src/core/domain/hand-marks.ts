/** How the line ends that is stored when a conversation changes hands; it begins with the operator's name. */
export const HAND_MARKS = {
  took_over: ' took the conversation over.',
  put_back: ' put the conversation back into the queue.',
  lapsed: ' was not heard of for too long: the conversation is back in the queue.',
  shift_ended: ' ended the shift: the conversation is back in the queue.',
  handed_back: ' handed the conversation back to the hub.',
  resolved: ' resolved the ticket.',
} as const;
