/** The only source of new identifiers. */
export interface Ids {
  /** @param prefix short word for the kind, e.g. `tkt`; the id reads `tkt_…` */
  next(prefix: string): string;
}
