import { parse } from 'yaml';
import type { JsonObject } from '../../src/core/domain/json.js';
import { HubError } from '../../src/core/errors.js';
import { descriptorSchema } from '../../src/skills/pack/descriptor-schema.js';
import type { Catalog, Pack } from '../../src/skills/pack/pack.js';

/** What a pack has beside its descriptor. */
type PackExtras = Partial<Pick<Pack, 'tree' | 'mappings' | 'knowledge' | 'prompt' | 'rubric'>> & {
  /** Nested packs by the name of the part. */
  readonly parts?: Readonly<Record<string, Pack>>;
  /** Prompt files by name without extension. */
  readonly prompts?: Readonly<Record<string, string>>;
};

/**
 * A pack made of the text of a skill.yaml, without a folder. What every pack has to say and the test does not care about is
 * filled in.
 */
export function packOf(yaml: string | JsonObject, extras: PackExtras = {}): Pack {
  const given: JsonObject = typeof yaml === 'string' ? parse(yaml) : yaml;
  const descriptor = descriptorSchema.parse({
    version: '1.0.0',
    title: String(given.id),
    description: `The skill ${String(given.id)}.`,
    status: 'active',
    type: given.sub_skills === undefined ? 'atomic' : 'composite',
    ...given,
  });
  const { id, version, policy } = descriptor;
  return {
    id,
    version,
    descriptor,
    summary: {
      id,
      version,
      title: descriptor.title,
      titles: descriptor.titles,
      descriptions: descriptor.descriptions,
      description: descriptor.description,
      owner: descriptor.owner,
      status: descriptor.status,
      type: descriptor.type,
      tags: descriptor.tags,
      effect: policy.effect,
      approval: policy.approval,
      templateType: descriptor.template_type,
      inputSchema: descriptor.input_schema,
      outputSchema: descriptor.output_schema,
    },
    folder: `/packs/${id}`,
    files: { 'skill.yaml': JSON.stringify(given) },
    hash: `hash-of-${id}-${version}`,
    tree: extras.tree ?? null,
    mappings: extras.mappings ?? new Map(),
    knowledge: extras.knowledge ?? null,
    texts: new Map(),
    prompts: new Map(Object.entries(extras.prompts ?? {})),
    prompt: extras.prompt ?? null,
    rubric: extras.rubric ?? null,
    parts: new Map(Object.entries(extras.parts ?? {})),
  };
}

/** A catalog of some packs, each id with one version. */
export function catalogOf(packs: readonly Pack[] = []): Catalog {
  return {
    list: () => packs,
    all: () => packs,
    get(id) {
      const pack = packs.find((one) => one.id === id);
      if (pack === undefined) {
        throw new HubError('skill_unknown', `There is no skill ${id}.`, {
          skills: packs.map((one) => one.id),
        });
      }
      return pack;
    },
  };
}
