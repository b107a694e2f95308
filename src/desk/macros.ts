import type { DeskKeeping } from '../core/app.js';
import { deskNotes } from '../core/desk-notes.js';
import type { DeskMacros, MacroInput } from '../core/desk-work.js';
import type { Operator } from '../core/domain/customer.js';
import { HubError } from '../core/errors.js';
import type { FileIds } from '../core/file-types.js';
import type { Macro, MacroStore, TicketDeskStore } from '../core/ports/index.js';
import { cleanText } from '../core/text.js';
import { demandClaim, known, type TicketDeps, unresolved } from './ticket-actions.js';

/** What is kept of tickets for the desk alone needs. */
interface KeepingDeps extends TicketDeps {
  readonly ticketDesk: TicketDeskStore;
}

const TAGS = 10;
const TAG_CHARS = 40;

/** See DeskKeeping. */
export function deskKeeping(deps: KeepingDeps): DeskKeeping {
  const { ticketDesk } = deps;
  return {
    async setTags(ticketId, tags) {
      await known(deps, ticketId);
      await ticketDesk.setTags(ticketId, checkedTags(tags));
    },
    async snooze(ticketId, operator, until) {
      await unresolved(deps, ticketId);
      await demandClaim(deps, ticketId, operator);
      await putAside(deps, ticketId, operator, until === null ? null : checkedTime(deps, until));
    },
  };
}

/** Puts a ticket aside, or takes it up again, and notes who did. @param until ISO 8601 UTC, checked; null for no longer */
export async function putAside(
  { ticketDesk, graph }: KeepingDeps,
  ticketId: string,
  { name }: Operator,
  until: string | null,
): Promise<void> {
  await ticketDesk.snooze(ticketId, until);
  await graph.tickets.addMessage(ticketId, 'system', deskNotes.snoozed(name, until));
}

/** Tags as they are kept. @throws HubError `input_invalid` */
export function checkedTags(tags: readonly string[]): readonly string[] {
  const named = [...new Set(tags.map((tag) => cleanText(tag).toLowerCase()))].filter((tag) => tag !== '');
  if (named.length <= TAGS && named.every((tag) => tag.length <= TAG_CHARS)) return named;
  const message = `A ticket has at most ${TAGS} tags of at most ${TAG_CHARS} characters.`;
  throw new HubError('input_invalid', message, { field: 'tags' });
}

/** A time to come, ISO 8601 UTC. @throws HubError `input_invalid` */
export function checkedTime({ graph }: Pick<TicketDeps, 'graph'>, until: string): string {
  const at = new Date(until);
  if (at > graph.tools.clock.now()) return at.toISOString();
  throw new HubError('input_invalid', 'The time must be to come.', { field: 'until' });
}

/** What macros need besides. */
export interface MacroDeps extends KeepingDeps {
  readonly macros: MacroStore;
}

const NAME_CHARS = 80;
const TEXT_CHARS = 4_000;
/** Other desks write two braces, and mean the same. */
const VARIABLE = /\{\{\s*([^{}]*?)\s*\}\}|\{([^{}]*)\}/g;

/** What may stand between braces, and what it is filled with. */
const VARIABLES: Readonly<Record<string, (values: Values) => string>> = {
  'customer.name': ({ customer }) => customer,
  'customer.first_name': ({ customer }) => firstOf(customer),
  'operator.name': ({ operator }) => operator,
  'operator.first_name': ({ operator }) => firstOf(operator),
  'company.name': ({ company }) => company,
};

interface Values {
  /** Empty where the customer is not known. */
  readonly customer: string;
  readonly operator: string;
  readonly company: string;
}

const firstOf = (name: string): string => name.split(/\s+/)[0] ?? '';

/** The names of all variables, for the one who writes a macro. */
const MACRO_VARIABLES: readonly string[] = Object.keys(VARIABLES);

/** See DeskMacros. @param act what an operator says to the customer and does with the ticket */
export function deskMacros(
  deps: MacroDeps,
  act: {
    reply(ticketId: string, operator: Operator, text: string, files: FileIds): Promise<unknown>;
    resolve(
      ticketId: string,
      operator: Operator,
      input: { readonly text: string; readonly files: FileIds },
    ): Promise<unknown>;
  },
): DeskMacros {
  const { graph, macros, ticketDesk } = deps;
  const existing = async (macroId: string): Promise<Macro> => {
    const macro = await macros.get(macroId);
    if (!macro) throw new HubError('not_found', 'There is no such macro.', { macroId });
    return macro;
  };
  return {
    macros: () => macros.list(),
    async macrosFor(ticketId, operator) {
      const { customerId } = await known(deps, ticketId);
      const customer = customerId === null ? null : await graph.tools.customers.get(customerId);
      const { name: company } = graph.tools.company;
      const values = { customer: customer?.name ?? '', operator: operator.name, company };
      return (await macros.list()).map((macro) => ({ ...macro, filled: filled(macro.text, values) }));
    },
    async saveMacro(operator, input, macroId) {
      if (macroId !== undefined) await existing(macroId);
      const macro = {
        macroId: macroId ?? graph.ids.next('mac'),
        ...checked(input),
        updatedBy: operator.name,
        updatedAt: graph.tools.clock.now().toISOString(),
      };
      await macros.put(macro);
      return macro;
    },
    async deleteMacro(macroId) {
      if (!(await macros.delete(macroId))) await existing(macroId);
    },
    async applyMacro(ticketId, operator, macroId, text, files = []) {
      const macro = await existing(macroId);
      await unresolved(deps, ticketId);
      await demandClaim(deps, ticketId, operator);
      // The words go first: where they are refused, nothing else of the macro happens.
      if (macro.resolves) await act.resolve(ticketId, operator, { text, files });
      else await act.reply(ticketId, operator, text, files);
      if (macro.tags.length > 0) await ticketDesk.addTags(ticketId, macro.tags);
    },
  };
}

/** @throws HubError `input_invalid` */
function checked({ name, text, tags, resolves }: MacroInput): MacroInput {
  const input = { name: cleanText(name), text: cleanText(text), tags: checkedTags(tags), resolves };
  const refuse = (field: string, message: string): never => {
    throw new HubError('input_invalid', message, { errors: [{ field, message }] });
  };
  if (input.name === '' || input.name.length > NAME_CHARS)
    refuse('name', `A macro has a name of at most ${NAME_CHARS} characters.`);
  if (input.text === '' || input.text.length > TEXT_CHARS)
    refuse('text', `A macro has a text of at most ${TEXT_CHARS} characters.`);
  for (const [whole, doubled, single = ''] of input.text.matchAll(VARIABLE)) {
    if (!Object.hasOwn(VARIABLES, doubled ?? single))
      refuse(
        'text',
        `${whole} is no variable. There are: ${MACRO_VARIABLES.map((one) => `{${one}}`).join(', ')}.`,
      );
  }
  return input;
}

/** A value that is not known leaves no gap before the comma that follows it. */
function filled(text: string, values: Values): string {
  const said = text.replace(VARIABLE, (whole: string, doubled: string | undefined, single: string) => {
    const variable = doubled ?? single;
    const value = Object.hasOwn(VARIABLES, variable) ? VARIABLES[variable]?.(values) : undefined;
    return value ?? whole;
  });
  return said.replace(/ +([,.!?])/g, '$1').replace(/ {2,}/g, ' ');
}
