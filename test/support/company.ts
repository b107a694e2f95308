import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packsOf, type Resources, readResources } from '../../src/app/resources.js';
import { loadCompany } from '../../src/company/company.js';
import { type Config, parseConfig } from '../../src/config/config.js';

/** The profile of the company that the hub ships with. */
const company = loadCompany(parseConfig({}).company.folder);
export const CULTPASS = company.profile;

/** Its intents, with the model that tells them. */
export const CULTPASS_NLU = company.nlu;

const SHIPPED = parseConfig({});
const isShipped = (part: 'company' | 'skills', config: Config): boolean =>
  JSON.stringify(config[part]) === JSON.stringify(SHIPPED[part]);
let resources: Promise<Resources> | undefined;

/**
 * Its files and models, which are read once for all Apps of a test process.
 * @returns what `createApp` is given; nothing where the configuration names another company or other rules
 */
export async function sharedResources(config: Config): Promise<{ readonly resources?: Resources }> {
  if (!isShipped('company', config)) return {};
  resources ??= readResources(SHIPPED);
  const shared = await resources;
  if (isShipped('skills', config)) return { resources: shared };
  return { resources: { ...shared, packs: packsOf(config, shared.company) } };
}

/**
 * The folder of a company like the one that ships, with some of its texts changed.
 * @param edits by file of the folder; each gets the file's text
 */
export function companyLike(edits: Readonly<Record<string, (text: string) => string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'hub-company-'));
  const shipped = parseConfig({}).company.folder;
  cpSync(shipped, folder, { recursive: true, filter: (path) => !path.endsWith('.ts') });
  // Its code stays where it is: it imports the hub by relative paths.
  symlinkSync(join(shipped, 'company.ts'), join(folder, 'company.ts'));
  for (const [file, edit] of Object.entries(edits)) {
    const path = join(folder, file);
    const before = readFileSync(path, 'utf8');
    const after = edit(before);
    if (after === before) throw new Error(`The edit changes nothing in ${file}`);
    writeFileSync(path, after);
  }
  return folder;
}

/** The conversations that stand for all where a change of the company is evaluated. */
export const FEW_CONVERSATIONS = 3;
const SUITE = 'a1-yes-no.yaml';

/** The folder of a company like the one that ships, whose evaluation holds a few conversations and takes seconds. */
export function companyWithFewConversations(): string {
  const folder = companyLike({
    [`eval/${SUITE}`]: (text) =>
      text
        .split(/^(?= {2}- id: )/m)
        .slice(0, FEW_CONVERSATIONS + 1)
        .join(''),
  });
  for (const name of readdirSync(join(folder, 'eval')))
    if (name !== SUITE && name !== 'baseline.json') rmSync(join(folder, 'eval', name));
  return folder;
}
