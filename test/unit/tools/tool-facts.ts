/** What every tool does and who may call it. A tool that is added is added here on purpose. */
export const TOOL_EFFECTS: Readonly<Record<string, string>> = {
  classify_ticket: 'read, anyone',
  search_knowledge: 'read, anyone',
  get_article_by_id: 'read, anyone',
  find_experiences: 'read, anyone',
  lookup_user: 'read, customer',
  get_subscription: 'read, customer',
  get_reservations: 'read, customer',
  get_customer_context: 'read, customer',
  record_customer_preference: 'write, customer',
  cancel_reservation: 'irreversible, customer',
  process_refund: 'irreversible, customer',
  update_subscription: 'irreversible, customer',
  record_resolution: 'write, customer',
  investigate: 'read, customer',
};
