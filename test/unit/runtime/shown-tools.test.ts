import { expect, it } from 'vitest';
import type { LanguageLayer } from '../../../src/core/ports/language-layer.js';
import type { AnyTool } from '../../../src/runtime/define-tool.js';
import { hiddenTools } from '../../../src/runtime/shown-tools.js';

const read = (name: string, more: object = {}) => ({ name, effect: 'read', ...more }) as AnyTool;
const asks = (entity: string) => ({
  asks: { inputs: [{ name: 'id', required: true, reading: { kind: 'record', entity } }] },
});
const context = (focus: string | null = null) => ({
  task: { text: 'what does the pedal weigh?' } as never,
  session: { language: 'en', previousMessage: null } as never,
  trace: [],
  focus: focus === null ? null : { agent: 'account', intent: focus, choices: [], attempts: 1 },
});
const chances = new Map(
  Array.from({ length: 500 }, (_, at) => [`read_${at}`, at === 77 ? 0.8 : at / 10_000]),
);
const language = {
  chances: () => chances,
  hardlyAsksFor: () => false,
  plainlyAsksFor: () => false,
} as unknown as LanguageLayer;
const tools = [
  read('list_part', { lists: { entity: 'part', records: () => [] } }),
  ...Array.from({ length: 500 }, (_, at) => read(`read_${at}`, at === 77 ? asks('part') : {})),
];
chances.set('list_part', 0);

it('[BYO-23] shows of 500 tools the likeliest, what lists their records, and what is spoken of', () => {
  const hidden = hiddenTools(tools, context('read_3'), { language });
  const shown = tools.map(({ name }) => name).filter((name) => !hidden.includes(name));
  expect(shown).toContain('read_77');
  expect(shown).toContain('list_part');
  expect(shown).toContain('read_3');
  expect(shown.length).toBeLessThanOrEqual(13);
});

it('[BYO-23] shows all of a few, and what no sentence is known to ask for', () => {
  expect(hiddenTools(tools.slice(0, 15), context(), { language })).toEqual([]);
  const unknown = read('elsewhere');
  expect(hiddenTools([...tools, unknown], context(), { language })).not.toContain('elsewhere');
});
