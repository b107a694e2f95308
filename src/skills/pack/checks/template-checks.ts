import { didYouMean } from '../../../core/spelling.js';
import type { Checked } from '../checked-file.js';
import type { Descriptor } from '../descriptor-schema.js';
import type { Draft } from '../draft.js';
import type { Prompt } from '../file-schemas.js';
import { isRange } from '../pack.js';
import type { Reference, Registry } from '../registry.js';
import { propertiesOf, requiredOf, takesOthers } from './json-schema-at.js';
import { isInputSchema } from './output-checks.js';

const KEYS = {
  LLM_JSON_GENERATION: [
    'prompt_id',
    'prompt_version',
    'model',
    'temperature',
    'max_tokens',
    'retry_on_validation_failure',
  ],
  LLM_REVIEW: ['rubric_id', 'rubric_version', 'evaluation_model', 'include_criteria_details'],
} as const;

/** A template with its config, the prompt or rubric that this names, and an input that fits it. */
export function checkTemplate(draft: Draft, registry: Registry): void {
  const { descriptor } = draft;
  const type = descriptor?.data.template_type ?? null;
  if (descriptor === null || type === null || !descriptor.sound(['template_type'])) return;
  const config = descriptor.data.template_config;
  const review = type === 'LLM_REVIEW';
  const [idKey, versionKey] = review
    ? (['rubric_id', 'rubric_version'] as const)
    : (['prompt_id', 'prompt_version'] as const);
  if (!descriptor.sound(['template_config'])) return;
  if (config === undefined) {
    const message = `${type} needs a template_config with a ${idKey}. Add template_config: { ${idKey}: ... }.`;
    descriptor.note(['template_type'], 'missing_template_config', message);
    return;
  }
  for (const key of Object.keys(config)) {
    if ((KEYS[type] as readonly string[]).includes(key)) continue;
    const message = `${key} is no setting of ${type}, which has: ${KEYS[type].join(', ')}. Remove it, or change template_type.`;
    descriptor.note(['template_config', key], 'wrong_template_config', message);
  }
  const id = config[idKey];
  const version = config[versionKey];
  if (id === undefined) {
    const message = `template_config names no ${idKey}. Add it; the ${review ? 'rubric' : 'prompt'} stands in ${review ? 'rubrics/<rubric_id>/<version>.json' : 'prompts/<prompt_id>/<version>.yaml'} of the skills folder.`;
    descriptor.note(['template_config'], `missing_${idKey}`, message);
    return;
  }
  if (version !== undefined && !isRange(version)) {
    const message = `"${version}" is neither a version nor a range; write it such as 1.2.0 or ^1.0.0.`;
    descriptor.note(['template_config', versionKey], 'wrong_value', message);
    return;
  }
  const found = review ? registry.rubric(id, version) : registry.prompt(id, version);
  noteMissing(descriptor, found, id, version, review);
  if (draft.prompt?.data) checkInput(draft, descriptor, draft.prompt.data);
}

function noteMissing(
  descriptor: Checked<Descriptor>,
  found: Reference<unknown>,
  id: string,
  version: string | undefined,
  review: boolean,
): void {
  const [what, folder, end] = review ? ['rubric', 'rubrics', 'json'] : ['prompt', 'prompts', 'yaml'];
  if (found.kind === 'unknown') {
    const message = `There is no ${what} ${id}; it would be ${folder}/${id}/<version>.${end} in the skills folder.${didYouMean(id, found.ids)}`;
    descriptor.note(['template_config', `${what}_id`], `missing_${what}`, message);
  } else if (found.kind === 'no_version') {
    const message = `The ${what} ${id} has no version ${version ?? ''}. There is: ${found.versions.join(', ')}.`;
    descriptor.note(['template_config', `${what}_version`], `missing_${what}`, message);
  }
}

/** Whatever passes input_schema must be something that the prompt takes. */
function checkInput({ inputSchema }: Draft, descriptor: Checked<Descriptor>, prompt: Prompt): void {
  const given = propertiesOf(inputSchema);
  const wanted = propertiesOf(prompt.vars_schema);
  if (given === null || takesOthers(inputSchema) || !isInputSchema(inputSchema)) return;
  const withDefault = (name: string): boolean => {
    const variable = wanted?.[name];
    return typeof variable === 'object' && variable !== null && 'default' in variable;
  };
  for (const name of requiredOf(prompt.vars_schema)) {
    if (withDefault(name)) continue;
    if (Object.hasOwn(given, name)) continue;
    const message = `The prompt needs ${name}, which input_schema does not have. Add it to properties and to required.`;
    descriptor.note(['input_schema', 'properties'], 'missing_input', message);
  }
  if (wanted === null || prompt.vars_schema.additionalProperties !== false) return;
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(wanted, name)) continue;
    const message = `The prompt does not have the input ${name}, and takes no others.${didYouMean(name, Object.keys(wanted))}`;
    descriptor.note(['input_schema', 'properties', name], 'input_not_in_template', message);
  }
}
