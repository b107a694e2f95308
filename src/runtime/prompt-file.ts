import { readFileSync } from 'node:fs';
import type { CompanyProfile } from '../core/domain/company.js';
import { inLanguage } from '../core/domain/language.js';
import type { AgentDefinition } from './agent-definition.js';

/**
 * Reads a prompt and fills in the company: `{{company}}` its name, `{{about}}` what it is, `{{time_zone}}` how people
 * call its time, `{{issue_types}}` what belongs to them where the name does not say it; and the agents: `{{agents}}` a line each, `{{routes}}` what is
 * sent to them; and `{{agent}}` and `{{description}}` whose prompt it is. The same for every turn, so that a provider can cache it.
 * @throws Error where the file names anything else
 */
export function readPrompt(
  file: URL,
  { name, about, timeZone, timeZoneName, issueTypes }: CompanyProfile,
  agents: readonly Pick<AgentDefinition, 'name' | 'description' | 'route' | 'takes'>[] = [],
  own?: Pick<AgentDefinition, 'name' | 'description'>,
): string {
  const values: Readonly<Record<string, string>> = {
    company: name,
    about: inLanguage(about, 'en') ?? '',
    time_zone: inLanguage(timeZoneName, 'en') ?? timeZone,
    issue_types: issueTypes
      .flatMap(({ id, about }) => (about === null ? [] : [`${id}: ${about}`]))
      .join('; '),
    agents: agents
      .map(({ name: agent, takes, description }) => `- ${agent}: ${takes ?? description}`)
      .join('\n'),
    ...(own && { agent: own.name, description: own.description }),
    routes: agents
      .map(({ route, takes, description }) => `${route}${inBrackets(takes ?? description)}`)
      .join('; '),
  };
  return readFileSync(file, 'utf8').replace(/\{\{(\w+)\}\}/g, (_, key: string) => {
    const value = values[key];
    if (value === undefined) throw new Error(`The prompt ${file.pathname} asks for {{${key}}}`);
    return value;
  });
}

function inBrackets(text: string | null): string {
  return text === null ? '' : ` (${text})`;
}
