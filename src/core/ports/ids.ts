/** The only source of new identifiers. */
export interface Ids {
  /** @param prefix short word for the kind, e.g. `tkt`; the id reads `tkt_…` */
  next(prefix: string): string;
  /** The same with at least 128 random bits, for what its holder proves something by: a visitor's task, a conversation. */
  unguessable(prefix: string): string;
}
