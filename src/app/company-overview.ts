import { z } from 'zod';
import { profileSchema } from '../company/company.js';
import { actionSchema, customersSchema, lookupSchema, sourcesSchema } from '../company/declared/schemas.js';
import { entitySchema } from '../company/entities.js';
import { companyIntentsSchema } from '../company/intents.js';
import type { Config } from '../config/config.js';
import type { CompanyProfile } from '../core/domain/company.js';
import { primaryOf } from '../core/domain/language.js';
import { policySchema } from '../core/policy/policy.js';
import { readUtterances } from '../nlu/utterances.js';
import type { AnyTool } from '../runtime/define-tool.js';
import { readCompany } from './company.js';
import { withCompanyTools } from './company-check.js';

const SHAPES = {
  company: profileSchema,
  customers: customersSchema,
  sources: sourcesSchema,
  entity: entitySchema,
  read: lookupSchema,
  action: actionSchema,
  intents: companyIntentsSchema,
  policy: policySchema.loose(),
} as const;

/** What the hub understands of a company, in the words of its files. */
interface CompanyOverview {
  readonly name: string;
  readonly languages: readonly string[];
  readonly currency: string;
  readonly time_zone: string;
  /** Agents and tools that are there and not used. */
  readonly off: CompanyProfile['off'];
  readonly entities: readonly {
    readonly id: string;
    readonly listed_by: string | null;
    readonly attributes: readonly string[];
  }[];
  readonly tools: readonly {
    readonly name: string;
    readonly effect: AnyTool['effect'];
    /** Who must agree before it is done. */
    readonly gate: 'none' | 'customer';
    readonly agents: readonly string[];
    readonly input: readonly string[];
  }[];
  readonly intents: readonly {
    readonly name: string;
    readonly route: string;
    readonly tool: string | null;
    /** By language; 0 is a gap. */
    readonly sentences: Readonly<Record<string, number>>;
  }[];
  /** By language: the intents that no sentence teaches there. */
  readonly gaps: Readonly<Record<string, readonly string[]>>;
}

/** Reads a company and says what the hub makes of it; no data directory is touched. @throws HubError `config_invalid` */
export async function companyOverview(config: Config): Promise<CompanyOverview> {
  const read = await readCompany(config);
  const { agents, company } = await withCompanyTools(config, read, async (made) => made);
  const { profile, nlu } = company;
  const tools = new Map(agents.flatMap((agent) => agent.tools.map((tool) => [tool.name, tool])));
  const rows = profile.languages.map(
    (language) => [language, readUtterances(primaryOf(language), nlu)] as const,
  );
  const intents = nlu.intents.names.map((name) => {
    const { route, tool } = nlu.intents.of(name);
    const counts = rows.map(
      ([language, all]) => [language, all.filter(({ intent }) => intent === name).length] as const,
    );
    return { name, route, tool, sentences: Object.fromEntries(counts) };
  });
  const gapsOf = (language: string) =>
    intents.flatMap(({ name, sentences }) => ((sentences[language] ?? 0) === 0 ? [name] : []));
  return {
    name: profile.name,
    languages: profile.languages,
    currency: profile.currency,
    time_zone: profile.timeZone,
    off: profile.off,
    entities: nlu.entities.map(({ id, attributes }) => ({
      id,
      listed_by: [...tools.values()].find(({ lists }) => lists?.entity === id)?.name ?? null,
      attributes: attributes.map((attribute) => attribute.id),
    })),
    tools: [...tools.values()].map(({ name, effect, input }) => ({
      ...{ name, effect },
      gate: effect === 'irreversible' ? 'customer' : 'none',
      agents: agents
        .filter((agent) => agent.tools.some((tool) => tool.name === name))
        .map((agent) => agent.name),
      input: Object.keys(input.shape),
    })),
    intents,
    gaps: Object.fromEntries(profile.languages.map((language) => [language, gapsOf(language)])),
  };
}

/** The JSON Schemas of a company's files, by name of the file in `schemas/`, for editors: they complete keys and mark faults. */
export function companySchemas(): Readonly<Record<string, object>> {
  return Object.fromEntries(
    Object.entries(SHAPES).map(([name, shape]) => [
      `${name}.schema.json`,
      z.toJSONSchema(shape, { io: 'input', unrepresentable: 'any', reused: 'inline' }),
    ]),
  );
}
