import { and, desc, eq, gt, isNotNull, isNull, lte, or, sql } from 'drizzle-orm';
import { parseScopes } from '../../src/core/domain/customer.js';
import type { ProgramTokenRecord, ProgramTokens } from '../../src/core/ports/sign-in.js';
import type { Clock, Ids } from '../../src/core/ports/system.js';
import type { DatabaseHandle } from '../open-database.js';
import { prepareInsert } from '../statements.js';
import { withTranslatedErrors } from '../storage-errors.js';
import { programTokens } from './schema.js';

const PREFIX = 'tok';
/** A use is noted this often, so that reading does not become writing. */
const NOTED_MS = 60_000;

/** The table `program_tokens` of udahub.db. */
export function createProgramTokens({ path, orm }: DatabaseHandle, clock: Clock, ids: Ids): ProgramTokens {
  const { tokenId, role, holderId, createdAt, expiresAt, lastUsedAt, revokedAt } = programTokens;
  const now = (): string => clock.now().toISOString();
  const at = sql.placeholder('now');
  const named = eq(tokenId, sql.placeholder('tokenId'));
  const insert = prepareInsert(orm, programTokens);
  const forget = orm.delete(programTokens).where(lte(expiresAt, at)).prepare();
  const find = orm
    .select()
    .from(programTokens)
    .where(and(named, isNull(revokedAt)))
    .prepare();
  const note = orm
    .update(programTokens)
    .set({ lastUsedAt: sql`${at}` })
    .where(and(named, or(isNull(lastUsedAt), lte(lastUsedAt, sql.placeholder('noted')))))
    .prepare();
  const revision = orm
    .select({ count: sql<number>`count(*)`, last: sql<string | null>`max(${revokedAt})` })
    .from(programTokens)
    .where(isNotNull(revokedAt))
    .prepare();
  /** That a note cannot be written now, on a full disk or a held database, shuts nobody out. */
  const noteUse = (id: string, noted: string): void => {
    try {
      note.run({ tokenId: id, now: now(), noted });
    } catch {
      // The next use notes it.
    }
  };
  return withTranslatedErrors<ProgramTokens>(
    { path },
    {
      nextId: async () => ids.next(PREFIX),
      add: async ({ holder, scopes, ...token }) => {
        forget.run({ now: now() });
        insert({
          ...token,
          role: holder.role,
          holderId: holder.id,
          scopes: scopes.join(' '),
          createdAt: now(),
          lastUsedAt: null,
          revokedAt: null,
        });
      },
      list: async (holder) => {
        const own = holder && and(eq(role, holder.role), eq(holderId, holder.id));
        const rows = orm
          .select()
          .from(programTokens)
          .where(and(gt(expiresAt, now()), own))
          .orderBy(desc(createdAt), desc(tokenId));
        return rows.all().map(recordOf);
      },
      revoke: async (id, holder) => {
        const own = holder && and(eq(role, holder.role), eq(holderId, holder.id));
        const held = and(eq(tokenId, id), isNull(revokedAt), gt(expiresAt, now()), own);
        return orm.update(programTokens).set({ revokedAt: now() }).where(held).run().changes === 1;
      },
      use: async (id) => {
        if (!id.startsWith(`${PREFIX}_`)) return true;
        const row = find.get({ tokenId: id });
        if (row === undefined) return false;
        const noted = new Date(clock.now().getTime() - NOTED_MS).toISOString();
        if (row.lastUsedAt === null || row.lastUsedAt <= noted) noteUse(id, noted);
        return true;
      },
      revision: async () => {
        const row = revision.get();
        return `${row?.count ?? 0} ${row?.last ?? ''}`;
      },
    },
  );
}

function recordOf({ role, holderId, scopes, ...row }: typeof programTokens.$inferSelect): ProgramTokenRecord {
  return { ...row, holder: { role, id: holderId }, scopes: parseScopes(scopes) };
}
