import type { Customer } from '../domain/customer.js';
import type { EntityRecord, RecordSection } from '../domain/entity.js';
import type { JsonObject } from '../domain/json.js';
import type { Sentences } from '../i18n/index.js';

/** Who the company's customers are. Throws HubError `database_failed` on a fault. */
export interface Customers {
  /** For sign-in only. Case-insensitive. */
  findByEmail(email: string): Promise<Customer | null>;
  get(customerId: string): Promise<Customer | null>;
  /** For operators: by words of name and e-mail address, or by id; accents and case are folded. By name. */
  search(text: string, limit: number): Promise<readonly Customer[]>;
  /** For operators: full names by id; unknown ids are left out. */
  names(customerIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** What a skill is told of the customer who asks; null where there is none. */
  facts(customerId: string): Promise<JsonObject | null>;
  /**
   * Where the company's sign-in says who its customers are: the one whom the claims of a verified token name, with nothing looked up;
   * null where they name none. Absent where customers are looked up by their address.
   */
  ofClaims?(claims: JsonObject): Promise<Customer | null>;
  /** Remembers what those claims said, for what is done while the customer is away. */
  keepClaims?(claims: JsonObject): Promise<void>;
}

/**
 * What the company has on record of its customers. Every method is given the verified customer and returns nothing of
 * anybody else, even when it is given an id that exists. Throws HubError `database_failed` on a fault.
 */
export interface CustomerRecords {
  /** Records that a customer may speak of, upcoming ones first; of one entity where given. */
  list(customerId: string, entity?: string): Promise<readonly EntityRecord[]>;
  /**
   * What anybody may be told of and ask about, soonest first; absent where the company shows nothing to everybody.
   * @param customerId who asks, where what is told depends on that (whether they may go); null for a visitor
   */
  catalogue?(customerId: string | null): Promise<readonly EntityRecord[]>;
  /** Null where there is no such record or it is not this customer's: the two look the same. */
  find(entity: string, customerId: string, id: string): Promise<EntityRecord | null>;
  /** For operators: all of it, in the order in which it is shown. Empty sections are there too. */
  sections(customerId: string, texts: Sentences): Promise<readonly RecordSection[]>;
}
