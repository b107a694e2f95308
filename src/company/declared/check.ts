import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import { type Finding, readChecked } from '../yaml-file.js';
import { actionSchema, customersSchema, lookupSchema, sourcesSchema } from './schemas.js';

/**
 * Says of each file of a company in YAML what does not fit its shape, by line. What only shows where the files meet, such as a
 * source that there is not, is found when the company is loaded.
 */
export function checkDeclared(folder: string): readonly Finding[] {
  const of = (name: string, schema: z.ZodType): readonly Finding[] =>
    readChecked(join(folder, name), schema).findings;
  const all = (room: string, schema: z.ZodType): readonly Finding[] => {
    const path = join(folder, room);
    const names = existsSync(path) ? readdirSync(path).filter((name) => name.endsWith('.yaml')) : [];
    return names.sort().flatMap((name) => of(join(room, name), schema));
  };
  return [
    ...of('customers.yaml', customersSchema),
    ...(existsSync(join(folder, 'sources.yaml')) ? of('sources.yaml', sourcesSchema) : []),
    ...all('reads', lookupSchema),
    ...all('actions', actionSchema),
  ];
}
