import type { Checked } from '../checked-file.js';
import type { Prompt, Rubric } from '../template-schema.js';

/** The rules of a prompt's file. */
export function checkPrompt(_checked: Checked<Prompt>, _id: string, _version: string): void {}

/** The rules of a rubric's file. */
export function checkRubric(_checked: Checked<Rubric>, _id: string, _version: string): void {}
