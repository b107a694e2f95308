import { describe, expect, it } from 'vitest';
import {
  changed,
  expectFault,
  FUNCTION,
  faultsOf,
  GENERATION,
  REVIEW,
  type RuleCase,
  TREE,
} from './pack-files.js';

type Texts = readonly [string, string];
const PROMPT = '@prompts/note/1.0.0.yaml';
const RUBRIC = '@rubrics/note_quality/1.0.0.json';
const rule =
  (pack: RuleCase['pack'], file: string) =>
  (title: string, code: string, change: Texts, line: string, says?: RegExp): RuleCase => ({
    title,
    pack,
    change: { [file]: change },
    code,
    file,
    line,
    ...(says ? { says } : {}),
  });
const generation = rule(GENERATION, 'skill.yaml');
const review = rule(REVIEW, 'skill.yaml');
const prompt = rule(GENERATION, PROMPT);
const rubric = rule(REVIEW, RUBRIC);

const CONFIGS: RuleCase[] = [
  generation(
    'a template without its config',
    'missing_template_config',
    ['template_config: { prompt_id: note, prompt_version: ^1.0.0, temperature: 0.2 }\n', ''],
    'template_type',
  ),
  review(
    'a review without its config',
    'missing_template_config',
    ['template_config: { rubric_id: note_quality }\n', ''],
    'template_type',
    /rubric_id/,
  ),
  generation(
    'a config without a prompt',
    'missing_prompt_id',
    ['prompt_id: note, prompt_version: ^1.0.0, ', ''],
    'template_config',
  ),
  review(
    'a config without a rubric',
    'missing_rubric_id',
    ['rubric_id: note_quality', 'include_criteria_details: true'],
    'template_config',
  ),
  generation(
    'a setting of the other kind',
    'wrong_template_config',
    ['temperature: 0.2', 'evaluation_model: x'],
    'template_config',
    /LLM_JSON_GENERATION/,
  ),
  review(
    'a setting of a generation',
    'wrong_template_config',
    ['rubric_id: note_quality', 'rubric_id: note_quality, temperature: 1'],
    'template_config',
  ),
  generation(
    'a prompt that is not there',
    'missing_prompt',
    ['prompt_id: note', 'prompt_id: noet'],
    'noet',
    /"note"/,
  ),
  generation(
    'a version of a prompt that is not there',
    'missing_prompt',
    ['^1.0.0', '^2.0.0'],
    '^2.0.0',
    /1\.0\.0/,
  ),
  generation('a version that is none', 'wrong_value', ['^1.0.0', 'latest!'], 'latest!'),
  review(
    'a rubric that is not there',
    'missing_rubric',
    ['note_quality', 'note_qualty'],
    'qualty',
    /"note_quality"/,
  ),
  rule(FUNCTION, 'skill.yaml')(
    'a config without a template',
    'config_without_template',
    ['implementation: { type: ts_function, handler: pass_through }', 'template_config: { prompt_id: note }'],
    'template_config',
  ),
  generation(
    'a template and an implementation',
    'template_and_implementation',
    ['template_type:', 'implementation: { type: ts_function, handler: pass_through }\ntemplate_type:'],
    'implementation',
  ),
  generation(
    'an input that the prompt needs and the skill does not have',
    'missing_input',
    ['    topic: { type: string }\n', ''],
    'properties',
    /topic/,
  ),
  generation(
    'an input that the prompt does not have',
    'input_not_in_template',
    ['    topic: { type: string }\n', '    topic: { type: string }\n    mood: { type: string }\n'],
    'mood',
  ),
  generation(
    'a template_type that is none',
    'wrong_value',
    ['LLM_JSON_GENERATION', 'LLM_JSON_GENERATE'],
    'LLM_JSON_GENERATE',
    /LLM_JSON_GENERATION/,
  ),
];

const PROMPTS: RuleCase[] = [
  prompt('an id that is not its folder', 'path_mismatch', ['prompt_id: note', 'prompt_id: notes'], 'notes'),
  prompt('a version that is not its file', 'path_mismatch', ['version: 1.0.0', 'version: 1.0.1'], '1.0.1'),
  prompt(
    'a variable that is not in vars_schema',
    'unknown_variable',
    ['About {{topic}}', 'About {{topc}}'],
    'template',
    /"topic"/,
  ),
  prompt(
    'a variable of a list that its entries do not have',
    'unknown_variable',
    ['- {{text}}', '- {{txt}}'],
    'template',
    /txt/,
  ),
  prompt(
    'a variable of the fallback',
    'unknown_variable',
    ['note: "About {{topic}}"', 'note: "About {{tpic}}"'],
    'note:',
  ),
  prompt(
    'a fallback for a field that the output does not have',
    'unknown_output',
    ['note: "About {{topic}}"', 'nota: "About {{topic}}"'],
    'nota',
  ),
  prompt('a section that is not closed', 'invalid_template', ['{{/short}}', ''], 'template'),
  prompt('a partial', 'invalid_template', ['Be brief.', '{{> brief}}'], 'template'),
  prompt(
    'an expression with an error',
    'invalid_expression',
    ['"size(topic) < 10"', '"size(topic <"'],
    'short',
  ),
  prompt(
    'tags in system',
    'tags_in_system',
    ['system: Write notes.', 'system: Write notes on {{topic}}.'],
    'system',
  ),
  prompt(
    'a vars_schema that is none',
    'invalid_schema',
    ['required: [topic]', 'required: topic'],
    'required',
  ),
  prompt(
    'an output_schema that is none',
    'invalid_schema',
    ['note: { type: string }', 'note: { type: txt }'],
    'txt',
  ),
  prompt(
    'a prompt without its template',
    'missing_key',
    ['template: |', 'description: |'],
    'prompt_id',
    /"template"/,
  ),
];

const RUBRICS: RuleCase[] = [
  rubric(
    'an id that is not its folder',
    'path_mismatch',
    ['"rubric_id": "note_quality"', '"rubric_id": "quality"'],
    '"quality"',
  ),
  rubric('two criteria of one id', 'duplicate_criterion', ['"id": "kind"', '"id": "short"'], '"id": "short"'),
  rubric('a weight of zero', 'weight_not_positive', ['"weight": 2', '"weight": 0'], '"weight": 0'),
  rubric('a weight below zero', 'weight_not_positive', ['"weight": 2', '"weight": -1'], '"weight": -1'),
  rubric(
    'no threshold where weights count',
    'missing_threshold',
    ['  "pass_threshold": 0.8,\n', ''],
    'scoring_mode',
  ),
  rubric('a threshold above one', 'wrong_value', ['"pass_threshold": 0.8', '"pass_threshold": 80'], '80'),
  rubric('a rule with an error', 'invalid_expression', ['size(note) < 500', 'size(note <'], 'rule'),
  rubric('a scoring_mode that is none', 'wrong_value', ['"weighted"', '"weightd"'], 'weightd'),
];

describe('[SKG-01] a generation and its prompt', () => {
  it.each(CONFIGS)('[SKG-01] $title', (one) => expectFault(one));
  it.each(PROMPTS)('[SKG-01] the file of a prompt: $title', (one) => expectFault(one));

  it('[SKG-01] says nothing of variables where the data may have any', () => {
    const open = changed(GENERATION, {
      [PROMPT]: ['  additionalProperties: false\n', '  additionalProperties: true\n'],
    });
    const free = changed(open, { [PROMPT]: ['About {{topic}}', 'About {{anything}}'] });
    expect(faultsOf(free)).toEqual([]);
    const inside = changed(GENERATION, {
      [PROMPT]: ['items: { type: object, properties: { text: { type: string } } }', 'items: {}'],
    });
    expect(faultsOf(changed(inside, { [PROMPT]: ['- {{text}}', '- {{whatever}} {{.}}'] }))).toEqual([]);
  });

  it('[SKD-03] the newest version that fits is taken', () => {
    const newer = (GENERATION[PROMPT] ?? '')
      .replace('version: 1.0.0', 'version: 1.2.0')
      .replace('Be brief', 'Be short');
    const files = {
      ...GENERATION,
      '@prompts/note/1.2.0.yaml': newer,
      '@prompts/note/2.0.0.yaml': 'broken: [',
    };
    expect(faultsOf(files)).toEqual([]);
  });
});

describe('[SKG-02] a review and its rubric', () => {
  it.each(RUBRICS)('[SKG-02] $title', (one) => expectFault(one));

  it.each([
    [
      'asks for what the prompt never writes',
      'output_never_fits',
      '{ type: object, required: [subject_line] }',
    ],
    ['wants another type', 'output_never_fits', '{ properties: { note: { type: number } } }'],
    [
      'excludes itself',
      'schema_never_holds',
      '{ properties: { text: { type: string, minLength: 9, maxLength: 2 } } }',
    ],
    [
      'requires what it does not allow',
      'schema_never_holds',
      '{ required: [text, x], additionalProperties: false, properties: { text: {} } }',
    ],
  ])('[SKD-21] an output_schema that %s is a fault', (_, code, schema) => {
    const text = GENERATION['skill.yaml'] ?? '';
    const without = text.replace(/^output_schema:.*\n(?: .*\n)*/m, '');
    const files = { ...GENERATION, 'skill.yaml': `${without}output_schema: ${schema}\n` };
    expect(faultsOf(files).map((fault) => fault.code)).toContain(code);
  });

  it.each([
    [TREE, '{ required: [root_cause, path] }', '{ required: [cause] }'],
    [REVIEW, '{ properties: { pass: { type: boolean } } }', '{ properties: { pass: { type: string } } }'],
  ])(
    '[SKD-21] the output_schema of every kind of skill is compared with what it gives',
    (pack, right, wrong) => {
      const withSchema = (schema: string) => ({
        ...pack,
        'skill.yaml': `${pack['skill.yaml'] ?? ''}output_schema: ${schema}\n`,
      });
      expect(faultsOf(withSchema(right))).toEqual([]);
      expect(faultsOf(withSchema(wrong)).map(({ code }) => code)).toEqual(['output_never_fits']);
    },
  );

  it('[SKD-20] a weight that is missing is 1', () => {
    const files = { ...REVIEW, [RUBRIC]: (REVIEW[RUBRIC] ?? '').replace('"weight": 2,\n', '') };
    expect(faultsOf(files)).toEqual([]);
  });

  it('[SKG-02] without weights and threshold it counts yes and no', () => {
    const binary = (REVIEW[RUBRIC] ?? '')
      .replace('"weighted"', '"binary"')
      .replace('  "pass_threshold": 0.8,\n', '')
      .replace('"weight": 2,\n', '');
    expect(faultsOf({ ...REVIEW, [RUBRIC]: binary })).toEqual([]);
    const zero = binary.replace('"weight": 1', '"weight": 0');
    expect(faultsOf({ ...REVIEW, [RUBRIC]: zero }).map(({ code }) => code)).toEqual(['weight_not_positive']);
  });
});
