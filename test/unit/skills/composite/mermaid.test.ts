import { describe, expect, it } from 'vitest';
import { compositeToMermaid } from '../../../../src/skills/mermaid.js';
import { catalogOf, packOf } from '../../../support/skill-packs.js';
import { composite } from './support.js';

describe('[SKX-01 SKC-01] the drawing of a composite', () => {
  it('shows parts, dependencies, data flow, conditions, loops and nested composites', () => {
    const inner = composite([{ name: 'tone' }, { name: 'write', dependencies: ['tone'] }], {
      id: 'inner',
      title: 'The inner',
    });
    const pack = composite(
      [
        { name: 'classify' },
        { name: 'answer', dependencies: ['classify'] },
        { name: 'archive', skill: 'archiver' },
        { name: 'log', inputs: { text: '{classify.output.text}' } },
      ],
      {
        routing: {
          strategy: 'conditional',
          // biome-ignore lint/suspicious/noThenProperty: the pack format names it so
          conditions: [{ if: 'classify.output.kind == "spam"', then: ['archive'], else: ['answer'] }],
          loops: [{ when: 'log.output.again', after: 'log', back_to: 'classify', max: 2 }],
        },
      },
      { answer: inner },
    );
    expect(
      compositeToMermaid(pack, catalogOf([packOf({ id: 'archiver', title: 'Put away' })])),
    ).toBe(`flowchart TD
  classify["classify: classify"]
  subgraph answer["answer: The inner"]
    answer__tone["tone: tone"]
    answer__write["write: write"]
    answer__tone --> answer__write
  end
  archive["archive: Put away"]
  log["log: log"]
  classify --> answer
  classify -.-> log
  if_1{"classify.output.kind == #34;spam#34;"}
  classify --> if_1
  if_1 -- yes --> archive
  if_1 -- no --> answer
  log -. "again while log.output.again, at most 2x" .-> classify
`);
  });

  it('follows the order of a sequential skill, and ends where a skill contains itself', () => {
    expect(compositeToMermaid(composite([{ name: 'a' }, { name: 'b' }]))).toContain('a --> b');
    const self = packOf({ id: 'self', sub_skills: [{ name: 'again', skill: 'self' }] });
    expect(compositeToMermaid(self, catalogOf([self])).match(/subgraph/g)).toHaveLength(4);
  });
});
