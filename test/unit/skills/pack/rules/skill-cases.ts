import { type RuleCase, TREE } from './pack-files.js';

export type Texts = readonly [string, string];

export const skill = (
  title: string,
  code: string,
  change: Texts,
  line: string,
  pack = TREE,
  says?: RegExp,
): RuleCase => ({
  title,
  pack,
  change: { 'skill.yaml': change },
  code,
  file: 'skill.yaml',
  line,
  ...(says ? { says } : {}),
});
