import { readFileSync } from 'node:fs';
import type { CompanyProfile } from '../core/domain/company.js';

/**
 * Reads a prompt and fills in the company: `{{company}}` its name, `{{about}}` what it is, `{{time_zone}}` how people
 * call its time. The same for every turn, so that a provider can cache it.
 * @throws Error where the file names anything else
 */
export function readPrompt(file: URL, { name, about, timeZoneName }: CompanyProfile): string {
  const values: Readonly<Record<string, string>> = {
    company: name,
    about: about.en,
    time_zone: timeZoneName.en,
  };
  return readFileSync(file, 'utf8').replace(/\{\{(\w+)\}\}/g, (_, key: string) => {
    const value = values[key];
    if (value === undefined) throw new Error(`The prompt ${file.pathname} asks for {{${key}}}`);
    return value;
  });
}
