import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/core/domain/json.js';
import { HubError } from '../../../../src/core/errors.js';
import {
  lookUp,
  MAX_RENDERED_CHARS,
  onlyVariable,
  renderTemplate,
} from '../../../../src/skills/templates/render.js';

const thrown = (work: () => unknown): HubError => {
  try {
    work();
  } catch (error) {
    if (error instanceof HubError) return error;
  }
  throw new Error('no HubError was thrown');
};

describe('[SKG-01] rendering a prompt', () => {
  it('fills variables as they are, since a prompt is no HTML', () => {
    const data = { name: 'Ana & "Bia" <b>', price: 12.5, ok: false, none: null };
    expect(renderTemplate('{{name}} {{{name}}} {{&name}} {{price}} {{ok}} [{{none}}]', data)).toBe(
      'Ana & "Bia" <b> Ana & "Bia" <b> Ana & "Bia" <b> 12.5 false []',
    );
  });

  it('knows sections, inverted sections, lists, dotted names and comments', () => {
    const data = {
      who: { name: 'Ana' },
      events: [{ title: 'Jazz' }, { title: 'Samba' }],
      words: ['a', 'b'],
      none: [],
    };
    const template =
      '{{! not shown }}{{#who}}{{name}}{{/who}}/{{who.name}}: {{#events}}{{title}} for {{who.name}}; {{/events}}' +
      '{{#words}}<{{.}}>{{/words}}{{^none}}nothing{{/none}}{{#none}}something{{/none}}';
    expect(renderTemplate(template, data)).toBe('Ana/Ana: Jazz for Ana; Samba for Ana; <a><b>nothing');
  });

  it('writes objects and lists as JSON', () => {
    expect(renderTemplate('{{facts}}', { facts: { a: [1] } })).toBe(JSON.stringify({ a: [1] }, null, 2));
  });

  it('never renders what was filled in, whatever tags a customer writes', () => {
    const data = { message: '{{secret}} {{#secret}}x{{/secret}} {{{secret}}} {{=<% %>=}}', secret: 'hidden' };
    expect(renderTemplate('Says: {{message}}', data)).toBe(`Says: ${data.message}`);
  });

  it("looks at the data's own fields only", () => {
    const data: JsonObject = { name: 'Ana', list: ['x'] };
    const template =
      '[{{constructor}}{{toString}}{{__proto__}}{{name.length}}{{list.map}}{{name.constructor.name}}{{hasOwnProperty}}]';
    expect(renderTemplate(template, data)).toBe('[]');
  });

  it('runs no lambda, even where one gets into the data', () => {
    const data = { run: () => 'ran' } as unknown as JsonObject;
    expect(renderTemplate('{{#run}}body{{/run}}', data)).not.toContain('ran');
  });

  it('refuses a partial and says which', () => {
    const error = thrown(() => renderTemplate('{{> footer}}', {}));
    expect(error.code).toBe('skill_invalid');
    expect(error.message).toContain('"footer"');
  });

  it('refuses a section that is not closed', () => {
    const error = thrown(() => renderTemplate('{{#a}}x', {}));
    expect(error.code).toBe('skill_invalid');
    expect(error.message).toContain('Unclosed section "a"');
  });

  it('stops when the text grows too long, also by sections in sections', () => {
    const list = Array.from({ length: 200 }, (_, index) => index);
    const data = { list, text: 'x'.repeat(MAX_RENDERED_CHARS + 1) };
    expect(thrown(() => renderTemplate('{{text}}', data)).code).toBe('input_too_large');
    const nested = '{{#list}}{{#list}}{{#list}}0123456789{{/list}}{{/list}}{{/list}}';
    expect(thrown(() => renderTemplate(nested, data)).code).toBe('input_too_large');
    const silent = '{{#list}}{{#list}}{{#list}}{{#list}}{{/list}}{{/list}}{{/list}}{{/list}}';
    expect(thrown(() => renderTemplate(silent, data)).code).toBe('input_too_large');
  });

  it('tells a template that is one variable from one that is more', () => {
    expect(onlyVariable(' {{a.b}} ')).toBe('a.b');
    expect(onlyVariable('{{{a}}}')).toBe('a');
    expect(onlyVariable('{{&a}}')).toBe('a');
    expect(onlyVariable('{{a}}!')).toBeNull();
    expect(onlyVariable('{{a}}{{b}}')).toBeNull();
    expect(onlyVariable('{{#a}}{{/a}}')).toBeNull();
    expect(onlyVariable('')).toBeNull();
    expect(lookUp('a.b', { a: { b: [1] } })).toEqual([1]);
    expect(lookUp('a.c.d', { a: { b: [1] } })).toBeUndefined();
  });
});
