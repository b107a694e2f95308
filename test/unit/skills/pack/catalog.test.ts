import { describe, expect, it } from 'vitest';
import { HubError } from '../../../../src/core/errors.js';
import { loadPackFromFiles } from '../../../../src/skills/pack/load-pack.js';
import { createCatalog, type Pack } from '../../../../src/skills/pack/pack.js';

function pack(id: string, version: string, status = 'active'): Pack {
  const { pack: loaded, faults } = loadPackFromFiles({
    'skill.yaml': `id: ${id}\nversion: ${version}\ntitle: ${id}\ndescription: A skill.\nstatus: ${status}\ntype: atomic\nimplementation: { type: ts_function, handler: pass_through }\n`,
  });
  if (!loaded) throw new Error(JSON.stringify(faults));
  return loaded;
}

function refusal(work: () => unknown): HubError {
  try {
    work();
  } catch (error) {
    if (error instanceof HubError) return error;
  }
  throw new Error('nothing was refused');
}

describe('[SKD-03] the version that is taken', () => {
  const catalog = createCatalog([
    pack('a', '1.9.0'),
    pack('a', '1.10.0'),
    pack('a', '2.0.0', 'poc'),
    pack('a', '3.0.0', 'deprecated'),
    pack('b', '1.0.0', 'deprecated'),
    pack('c', '1.0.0', 'poc'),
    pack('c', '1.1.0-rc.1', 'poc'),
  ]);

  it('[SKD-03] is the newest active one, else poc, else deprecated', () => {
    expect(catalog.get('a').version).toBe('1.10.0');
    expect(catalog.get('b').version).toBe('1.0.0');
    expect(catalog.get('c').version).toBe('1.0.0');
  });

  it.each([
    ['1.9.0', '1.9.0'],
    ['3.0.0', '3.0.0'],
    ['^1.0.0', '1.10.0'],
    ['1', '1.10.0'],
    ['>=2', '2.0.0'],
    ['>=3', '3.0.0'],
    ['*', '1.10.0'],
  ])('[SKD-03] for %s is %s', (range, version) => {
    expect(catalog.get('a', range).version).toBe(version);
  });

  it('[SKD-03] a pre-release is taken where it is asked for', () => {
    expect(catalog.get('c', '1.1.0-rc.1').version).toBe('1.1.0-rc.1');
  });

  it('[SKD-03] the list has each skill once, the deprecated ones last', () => {
    expect(catalog.list().map(({ id, version }) => `${id} ${version}`)).toEqual([
      'a 1.10.0',
      'c 1.0.0',
      'b 1.0.0',
    ]);
    expect(catalog.all()).toHaveLength(7);
  });

  it('[SKB-03] an unknown skill names the nearest, an unknown version those that are there', () => {
    const skill = refusal(() => createCatalog([pack('entry_denied', '1.0.0')]).get('entry_deined'));
    expect(skill.code).toBe('skill_unknown');
    expect(skill.message).toContain('Did you mean "entry_denied"?');
    const version = refusal(() => catalog.get('a', '^7.0.0'));
    expect(version.code).toBe('skill_unknown');
    expect(version.message).toContain('There is: 3.0.0, 2.0.0, 1.10.0, 1.9.0.');
    expect(refusal(() => catalog.get('a', 'banana')).message).toContain('neither a version nor a range');
    expect(refusal(() => catalog.get('constructor')).code).toBe('skill_unknown');
  });
});

describe('[SKX-05] a pack that was loaded', () => {
  const loaded = pack('a', '1.0.0');

  it('[SKX-05] cannot be changed', () => {
    expect(() => Object.assign(loaded, { id: 'b' })).toThrow(TypeError);
    expect(() => Object.assign(loaded.descriptor.execution, { cache_ttl: 9 })).toThrow(TypeError);
    expect(() => Object.assign(loaded.files, { 'skill.yaml': '' })).toThrow(TypeError);
    expect(() => (loaded.mappings as Map<string, unknown>).set('x', {})).toThrow();
  });

  it('[SKX-05] is known by the content of its files', () => {
    expect(pack('a', '1.0.0').hash).toBe(loaded.hash);
    expect(pack('a', '1.0.1').hash).not.toBe(loaded.hash);
    expect(loaded.hash).toMatch(/^[0-9a-f]{64}$/);
  });
});
