import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';

/** A part of a list, and where the next one begins. */
interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor?: string;
}

/**
 * Cuts a list into pages. A cursor names the last item that was seen, so that an item which comes or goes meanwhile
 * neither repeats others nor hides them.
 * @param all in the order of `keyOf`
 * @throws ProtocolError invalid params, for a cursor that no page has named
 */
export function pageOf<Item>(
  all: readonly Item[],
  keyOf: (item: Item) => string,
  cursor: string | undefined,
  size: number,
): Page<Item> {
  const after = cursor === undefined ? null : readCursor(cursor);
  const rest = after === null ? all : all.filter((item) => keyOf(item) > after);
  const items = rest.slice(0, size);
  const last = items.at(-1);
  if (last === undefined || rest.length <= size) return { items };
  return { items, nextCursor: Buffer.from(`${MARK}${keyOf(last)}`).toString('base64url') };
}

/** For lists of one page, whose cursors can only be made up. @throws ProtocolError invalid params */
export function demandFirstPage(cursor: string | undefined): void {
  if (cursor !== undefined) throw invalidCursor();
}

/** Begins every cursor of ours. */
const MARK = 'after:';

function readCursor(cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString();
  if (text.startsWith(MARK)) return text.slice(MARK.length);
  throw invalidCursor();
}

function invalidCursor(): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid cursor: take it from the page before.');
}
