import { asc, eq, sql } from 'drizzle-orm';
import { HubError } from '../../src/core/errors.js';
import type { MacroStore } from '../../src/core/ports/macro-store.js';
import type { DatabaseHandle } from '../open-database.js';
import { prepareUpsert } from '../statements.js';
import { withTranslatedErrors } from '../storage-errors.js';
import { macros } from './schema.js';

/** The table `macros` of udahub.db. */
export function createMacroStore(handle: DatabaseHandle): MacroStore {
  const { orm, sqlite } = handle;
  const all = orm.select().from(macros).orderBy(sql`lower(${macros.name})`, asc(macros.macroId)).prepare();
  const one = orm
    .select()
    .from(macros)
    .where(eq(macros.macroId, sql.placeholder('macroId')))
    .prepare();
  const named = sqlite
    .prepare<[string, string], number>('SELECT 1 FROM macros WHERE lower(name) = lower(?) AND macro_id <> ?')
    .pluck();
  const write = prepareUpsert(orm, macros, macros.macroId);
  const put = sqlite.transaction((macro: Parameters<MacroStore['put']>[0]) => {
    if (named.get(macro.name, macro.macroId) !== undefined)
      throw new HubError('input_invalid', 'Another macro has this name.', { field: 'name' });
    write(macro);
  });
  const remove = sqlite.prepare<[string]>('DELETE FROM macros WHERE macro_id = ?');
  return withTranslatedErrors<MacroStore>(handle, {
    list: async () => all.all(),
    get: async (macroId) => one.get({ macroId }) ?? null,
    put: async (macro) => put.immediate(macro),
    delete: async (macroId) => remove.run(macroId).changes > 0,
  });
}
