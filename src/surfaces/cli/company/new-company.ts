import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { parse } from 'yaml';
import { createCompany } from '../../../app/company.js';
import { customerToTry } from '../../../app/company-commands.js';
import { type ConfigContext, EXIT } from '../../command.js';
import { importCommand, nameOf } from './company.js';

/** What is asked for on a terminal, with what stands where nothing is said. */
const QUESTIONS = [
  ['name', 'What do customers call the company?', ''],
  ['about', 'What is it? (after its name and a comma)', 'a shop'],
  ['languages', 'Which languages does it speak? (en, pt-BR, es)', 'en'],
  ['time_zone', 'In which time zone? (IANA name)', 'UTC'],
  ['currency', 'In which currency? (ISO 4217)', 'EUR'],
  [
    'customers',
    'Where are its customers? (own: a database of the hub; sqlite:FILE or postgres:VARIABLE: yours; https://...: a service; token: your sign-in)',
    'own',
  ],
  ['tools', 'What are its tools made of? (sample, none, openapi:FILE, mcp:URL)', ''],
] as const;

/** Writes a new company, and says how to try it. */
export async function newCommand(
  context: ConfigContext,
  given: string,
  { from, timeZone, timeZoneName, ...flags }: Readonly<Record<string, string>>,
): Promise<number> {
  const { config, io } = context;
  const file = from === undefined ? {} : (parse(readFileSync(from, 'utf8')) as Record<string, unknown>);
  const said: Record<string, unknown> = {
    ...file,
    ...flags,
    ...(timeZone === undefined ? {} : { time_zone: timeZone }),
    ...(timeZoneName === undefined ? {} : { time_zone_name: timeZoneName }),
  };
  if (io.in.isTTY === true) {
    const reader = createInterface({ input: io.in, output: io.err });
    for (const [key, question, usual] of QUESTIONS) {
      if (said[key] !== undefined) continue;
      const answer = (await reader.question(`${question}${usual === '' ? '' : ` [${usual}]`} `)).trim();
      if (answer !== '') said[key] = answer;
    }
    reader.close();
  }
  const { languages, name = nameOf(config.company.folder) } = said;
  const tags = typeof languages === 'string' ? languages.split(/[\s,]+/).filter(Boolean) : languages;
  const files = createCompany(config, { ...said, name, ...(tags === undefined ? {} : { languages: tags }) });
  const [kind, ...where] = String(said.tools ?? '').split(':');
  if (kind === 'openapi' || kind === 'mcp')
    await importCommand(context, kind, where.join(':'), { source: 'api' });
  io.out.write(`${config.company.folder}\n`);
  const [at = '', variable = ''] = String(said.customers ?? 'own').split(':');
  // What paths a service has is a guess until somebody has corrected it.
  const someone = /^https?$/.test(at) ? null : await customerToTry(config);
  const path = resolve(String(said.customers).slice('sqlite:'.length));
  if (at === 'sqlite' && !existsSync(path))
    io.err.write(`There is no file ${path} yet: put it there, or correct sources.yaml.\n`);
  if ((at === 'sqlite' || at === 'postgres') && someone?.hasRecords !== true)
    io.err.write('Its statements name the tables customers and orders: put the names of yours there.\n');
  if (at === 'postgres' && config.skills.secret(variable) === undefined)
    io.err.write(`Set ${variable} to the address of your database: postgres://user:password@host/name\n`);
  const chat = `HUB_COMPANY=${quoted(given)} HUB_DATA_DIR=${quoted(`./var-${nameOf(config.company.folder)}`)} npm run -s chat`;
  io.err.write(
    someone
      ? `${files} files written. Try it: ${chat} -- --as ${quoted(someone.email)}\n`
      : `${files} files written. Try it as a visitor: ${chat}\nOnce customers.yaml finds your customers, add -- --as and the address of one.\n`,
  );
  return EXIT.done;
}

/** A word as a shell takes it. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
