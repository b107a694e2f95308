import type { Expressions } from '../../core/ports/expressions.js';
import { compileFormula } from './formula.js';
import { bindStatement, fillPath, fillValue, placeholderNames } from './placeholders.js';

/** The expressions of packs, for other YAML files. */
export const EXPRESSIONS: Expressions = {
  formula: compileFormula,
  statement: bindStatement,
  path: fillPath,
  fill: (template, scope) => fillValue(template, scope),
  namesIn: placeholderNames,
};
