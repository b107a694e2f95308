export const CRITERIA = ['grounded', 'tone', 'language'].map((id, index) => ({
  id,
  name: `The ${id}`,
  description: `About ${id}.`,
  pass_condition: `${id} is right`,
  fail_condition: `${id} is wrong`,
  weight: [3, 1, 1][index],
}));

export const BINARY = {
  rubric_id: 'reply_quality',
  version: '1.0.0',
  description: 'Quality of replies',
  scoring_mode: 'binary',
  criteria: CRITERIA,
};

export const INPUT = { reply: 'Hello Ana, your booking is confirmed.', language: 'en' };
