import { and, desc, eq, gt, isNotNull, isNull, lte, or, sql } from 'drizzle-orm';
import { parseScopes } from '../../src/core/domain/customer.js';
import type { ProgramTokenRecord, ProgramTokens } from '../../src/core/ports/sign-in.js';
import type { Clock, Ids } from '../../src/core/ports/system.js';
import { type Database, storeOf, type Work } from '../database.js';
import { insertInto } from '../statements.js';
import { programTokens } from './schema.js';

const PREFIX = 'tok';
/** A use is noted this often, so that reading does not become writing. */
const NOTED_MS = 60_000;

/** The table `program_tokens`. */
export function createProgramTokens(database: Database, clock: Clock, ids: Ids): ProgramTokens {
  const { tokenId, role, holderId, createdAt, expiresAt, lastUsedAt, revokedAt } = programTokens;
  const now = (): string => clock.now().toISOString();
  const at = sql.placeholder('now');
  const named = eq(tokenId, sql.placeholder('tokenId'));
  const insert = insertInto(database, programTokens);
  const forget = database.query((orm) => orm.delete(programTokens).where(lte(expiresAt, at)));
  const find = database.query((orm) =>
    orm
      .select()
      .from(programTokens)
      .where(and(named, isNull(revokedAt))),
  );
  const note = database.query((orm) =>
    orm
      .update(programTokens)
      .set({ lastUsedAt: sql`${at}` })
      .where(and(named, or(isNull(lastUsedAt), lte(lastUsedAt, sql.placeholder('noted'))))),
  );
  const revision = database.query((orm) =>
    orm
      .select({ count: sql<number>`count(*)`, last: sql<string | null>`max(${revokedAt})` })
      .from(programTokens)
      .where(isNotNull(revokedAt)),
  );
  /** That a note cannot be written now, on a full disk or a held database, shuts nobody out. */
  function* noteUse(id: string, noted: string): Work<void> {
    try {
      yield* note.run({ tokenId: id, now: now(), noted });
    } catch {
      // The next use notes it.
    }
  }
  const ownedBy = (holder: Parameters<ProgramTokens['list']>[0]) =>
    holder && and(eq(role, holder.role), eq(holderId, holder.id));
  return storeOf<ProgramTokens>(database, {
    // biome-ignore lint/correctness/useYield: ids are not stored
    *nextId() {
      return ids.next(PREFIX);
    },
    *add({ holder, scopes, ...token }) {
      yield* forget.run({ now: now() });
      yield* insert({
        ...token,
        role: holder.role,
        holderId: holder.id,
        scopes: scopes.join(' '),
        createdAt: now(),
        lastUsedAt: null,
        revokedAt: null,
      });
    },
    *list(holder) {
      const rows = database.query((orm) =>
        orm
          .select()
          .from(programTokens)
          .where(and(gt(expiresAt, now()), ownedBy(holder)))
          .orderBy(desc(createdAt), desc(tokenId)),
      );
      return (yield* rows.all()).map(recordOf);
    },
    *revoke(id, holder) {
      const held = and(eq(tokenId, id), isNull(revokedAt), gt(expiresAt, now()), ownedBy(holder));
      const update = database.query((orm) => orm.update(programTokens).set({ revokedAt: now() }).where(held));
      return (yield* update.run()).changes === 1;
    },
    *use(id) {
      if (!id.startsWith(`${PREFIX}_`)) return true;
      const row = yield* find.get({ tokenId: id });
      if (row === undefined) return false;
      const noted = new Date(clock.now().getTime() - NOTED_MS).toISOString();
      if (row.lastUsedAt === null || row.lastUsedAt <= noted) yield* noteUse(id, noted);
      return true;
    },
    *revision() {
      const row = yield* revision.get();
      return `${row?.count ?? 0} ${row?.last ?? ''}`;
    },
  });
}

function recordOf({ role, holderId, scopes, ...row }: typeof programTokens.$inferSelect): ProgramTokenRecord {
  return { ...row, holder: { role, id: holderId }, scopes: parseScopes(scopes) };
}
