import type { Customer } from '../../core/domain/customer.js';
import { isObject, type JsonObject, type JsonValue } from '../../core/domain/json.js';
import type { Expressions } from '../../core/ports/expressions.js';
import type { Customers } from '../../core/ports/index.js';
import type { Asker } from './asking.js';
import type { CustomersSpec } from './schemas.js';
import { compileAll, isoTime } from './values.js';

/** "Mia Santos, 97201". */
const BY_NAME = /^([^@,]+),([^@,]+)$/;
const BEGINNING = '1970-01-01T00:00:00.000Z';

/** Who the customers are, read where `customers.yaml` says. */
export function declaredCustomers(spec: CustomersSpec, asker: Asker, expressions: Expressions): Customers {
  const { created_at, ...required } = spec.fields;
  const fields = compileAll({ ...required, ...(created_at ? { created_at } : {}) }, expressions);
  const facts = compileAll(spec.facts, expressions);
  const customerOf = (row: JsonValue): Customer | null => {
    const value = (name: string): JsonValue => fields.get(name)?.value({ row }) ?? null;
    const [customerId, email] = [value('id'), value('email')];
    if (!isObject(row) || customerId === null || email === null) return null;
    return {
      customerId: String(customerId),
      name: String(value('name') ?? ''),
      email: String(email),
      // What is not known for sure is not allowed.
      isBlocked: ![false, 0].includes(value('is_blocked') as boolean | number),
      createdAt: isoTime(value('created_at')) ?? BEGINNING,
    };
  };
  const get = async (customerId: string): Promise<readonly [Customer, JsonObject] | null> => {
    const row = await asker.read({ ...spec.by_id, one: true }, { customer_id: customerId });
    const customer = customerOf(row);
    // A source that answers with somebody else is wrong, whatever it says.
    return customer && isObject(row) && customer.customerId === customerId ? [customer, row] : null;
  };
  return {
    get: async (customerId) => (await get(customerId))?.[0] ?? null,
    async findByEmail(email) {
      const [, name, postalCode] = BY_NAME.exec(email) ?? [];
      if (spec.by_name && name !== undefined && postalCode !== undefined) {
        const rows = await asker.read(
          { ...spec.by_name, one: false },
          { name: name.trim(), postal_code: postalCode.trim() },
        );
        // Two of one name in one place are told apart by their addresses only.
        return Array.isArray(rows) && rows.length === 1 ? customerOf(rows[0] ?? null) : null;
      }
      const found = customerOf(await asker.read({ ...spec.by_email, one: true }, { email }));
      return found && found.email.toLowerCase() === email.toLowerCase() ? found : null;
    },
    async search(text, limit) {
      if (!spec.search) {
        const one = (await get(text))?.[0];
        return one ? [one] : [];
      }
      const rows = await asker.read({ ...spec.search, one: false }, { text, pattern: `%${text}%`, limit });
      return (Array.isArray(rows) ? rows : []).flatMap((row) => customerOf(row) ?? []).slice(0, limit);
    },
    async names(ids) {
      const all = await Promise.all([...new Set(ids)].map((id) => get(id)));
      return new Map(all.flatMap((one) => (one ? [[one[0].customerId, one[0].name] as const] : [])));
    },
    async facts(customerId) {
      const found = await get(customerId);
      if (!found) return null;
      const [{ name, isBlocked }, row] = found;
      const more = [...facts].map(([key, formula]) => [key, formula.value({ row }) ?? null] as const);
      return { customer_id: customerId, name, is_blocked: isBlocked, ...Object.fromEntries(more) };
    },
  };
}
