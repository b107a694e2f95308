// TEMPORARY stand-in by the lead, without validation, so that the hub starts: PACK replaces this whole file.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { parse } from 'yaml';
import { HubError } from '../../core/errors.js';
import { descriptorSchema } from './descriptor-schema.js';
import { mappingsSchema } from './mappings-schema.js';
import type { Catalog, Pack, PackFault, PackFiles } from './pack.js';
import { promptSchema, rubricSchema } from './template-schema.js';
import { testCaseSchema } from './test-case-schema.js';
import { treeSchema } from './tree-schema.js';
export type { Catalog, Pack, PackFault, PackFiles } from './pack.js';

function walk(dir: string, base = ''): Record<string, string> {
  return Object.fromEntries(readdirSync(dir).flatMap((name) => statSync(join(dir, name)).isDirectory()
    ? Object.entries(walk(join(dir, name), `${base}${name}/`)) : [[base + name, readFileSync(join(dir, name), 'utf8')]]));
}
export const readPackFiles = (folder: string): PackFiles => walk(folder);
export function loadPackFromFiles(files: PackFiles, options: { folder?: string } = {}): { pack: Pack | null; faults: readonly PackFault[] } {
  const d = descriptorSchema.parse(parse(files['skill.yaml'] ?? ''));
  const under = (prefix: string) => Object.entries(files).filter(([name]) => name.startsWith(prefix)).map(([name, text]) => [name.slice(prefix.length), text] as const);
  const tree = files['decision_tree.yaml'] ? treeSchema.parse(parse(files['decision_tree.yaml'])) : null;
  const m = files['api_mappings.yaml'] ? mappingsSchema.parse(parse(files['api_mappings.yaml'])).mappings : {};
  const c = d.template_config;
  const newest = (prefix: string) => under(prefix).sort(([a], [b]) => (a < b ? 1 : -1))[0];
  const p = c?.prompt_id ? newest(`@prompts/${c.prompt_id}/`) : undefined;
  const r = c?.rubric_id ? newest(`@rubrics/${c.rubric_id}/`) : undefined;
  const registry = Object.fromEntries([...under('@')].map(([name, text]) => [`@${name}`, text]));
  const pack: Pack = {
    id: d.id, version: d.version, descriptor: d, folder: options.folder ?? d.id, files,
    hash: createHash('sha256').update(JSON.stringify(Object.entries(files).sort())).digest('hex'),
    tree, mappings: new Map(Object.entries(m)), knowledge: files['knowledge_base.md'] ?? null,
    prompts: new Map(under('prompts/').map(([name, text]) => [name.replace(/\.txt$/, ''), text])),
    prompt: p ? ({ ...promptSchema.parse(parse(p[1])), version: p[0].replace(/\.yaml$/, '') } as never) : null,
    rubric: r ? rubricSchema.parse(JSON.parse(r[1])) : null,
    parts: new Map(d.sub_skills.flatMap((sub) => {
      if (!sub.path) return [];
      const own = Object.fromEntries(under(`${sub.path.replace(/^\.\//, '')}/`));
      const part = loadPackFromFiles({ ...own, ...registry }).pack;
      return part ? [[sub.name, part] as const] : [];
    })),
    testCases: under('test_cases/').map(([file, text]) => ({ file: `test_cases/${file}`, case: testCaseSchema.parse(parse(text)) })),
    summary: { id: d.id, version: d.version, title: d.title, description: d.description, owner: d.owner, status: d.status, type: d.type, tags: d.tags, effect: d.policy.effect, approval: d.policy.approval, templateType: d.template_type, inputSchema: d.input_schema, outputSchema: d.output_schema },
  };
  return { pack, faults: [] };
}
export function loadSkillFolders(dirs: readonly string[]): { catalog: Catalog; faults: readonly PackFault[]; packs: number } {
  const packs = dirs.filter((dir) => existsSync(dir)).flatMap((dir) => {
    const registry = { ...(existsSync(join(dir, 'prompts')) ? walk(join(dir, 'prompts'), '@prompts/') : {}), ...(existsSync(join(dir, 'rubrics')) ? walk(join(dir, 'rubrics'), '@rubrics/') : {}) };
    return readdirSync(dir).filter((name) => existsSync(join(dir, name, 'skill.yaml'))).flatMap((name) => loadPackFromFiles({ ...walk(join(dir, name)), ...registry }, { folder: join(dir, name) }).pack ?? []);
  });
  const catalog: Catalog = {
    list: () => packs, all: () => packs,
    get: (id) => { const found = packs.find((pack) => pack.id === id); if (!found) throw new HubError('skill_unknown', `There is no skill ${id}.`); return found; },
  };
  return { catalog, faults: [], packs: packs.length };
}
export const validateFolder = (_path: string): { packs: number; faults: readonly PackFault[] } => ({ packs: 0, faults: [] });
