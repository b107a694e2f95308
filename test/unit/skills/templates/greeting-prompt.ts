export const PROMPT = {
  system: 'You write replies of a support team.',
  vars_schema: {
    type: 'object',
    required: ['name'],
    properties: {
      name: { type: 'string' },
      language: { type: 'string', default: 'en' },
      points: { type: 'array', items: { type: 'string' } },
    },
  },
  output_schema: {
    type: 'object',
    required: ['reply'],
    additionalProperties: false,
    properties: {
      reply: { type: 'string', minLength: 1 },
      points: { type: 'array' },
      meta: { type: 'object' },
    },
  },
  template: 'Write to {{name}} in {{language}}.{{#points}}\n- {{.}}{{/points}}',
};

export const INPUT = { name: 'Ana' };
