import { type RuleCase, TREE } from './pack-files.js';

export const tree = (
  title: string,
  code: string,
  change: readonly [string, string],
  line: string,
  says?: RegExp,
): RuleCase => ({
  title,
  pack: TREE,
  change: { 'decision_tree.yaml': change },
  code,
  file: 'decision_tree.yaml',
  line,
  ...(says ? { says } : {}),
});

export const skill = (
  title: string,
  code: string,
  change: readonly [string, string],
  line: string,
  says?: RegExp,
): RuleCase => ({
  ...tree(title, code, change, line, says),
  change: { 'skill.yaml': change },
  file: 'skill.yaml',
});
