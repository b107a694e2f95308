/** The clauses of what is asked of models, and how. Part of `requirements.ts`. */
export const MODEL_REQUIREMENTS = {
  'MDL-01':
    'A knowledge question takes at most 1,000 prompt tokens, one of the account or a one-step action 1,300, in two calls',
  'MDL-02': 'What is the same in every turn stands first in a prompt, byte for byte, whoever asks',
  'MDL-03': 'A model is offered only the tools that can matter to what is asked',
  'MDL-04':
    'Every request to a model keeps to the published rules: pairs of calls and answers, names, sizes, strict schemas, a longest answer',
  'MDL-05':
    'Studio asks for a message and a customer, takes a typed yes for the answer, and names tool nodes by their agents',
  'MDL-06':
    'In chat a skill is picked by all its triggers, by a model where none matches, and for each symptom of a message',
  'MDL-07':
    'What several agents answer is one text with one greeting and nothing twice; one agent is quoted verbatim',
} as const;
