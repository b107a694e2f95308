import { type CompanyProfile, issueTypeIds } from '../../../core/domain/company.js';
import type { SkillWords } from '../../../core/domain/skill.js';
import type { Ticket, TicketMessage } from '../../../core/domain/ticket.js';
import { HubError } from '../../../core/errors.js';
import {
  toChoiceJson,
  toDeskMessageJson,
  toDeskTicketJson,
  toEntryJson,
  toOfferedActionJson,
  toOutcomeJson,
  toPresenceJson,
  toSuggestionJson,
  toTicketJson,
} from '../../desk-json.js';
import { toFileJson } from '../../reply-json.js';
import { clientAddress } from '../client.js';
import type { HttpDeps } from '../http-deps.js';
import { createRouter, type HubRouter, operatorOf } from '../router.js';
import { sendFile, uploadOf } from '../uploads.js';
import { facetsSchema, languageOf, presenceSchema, wire } from './desk-wire.js';
import {
  addNote,
  attachToTicket,
  attendDesk,
  chooseOption,
  claimTicket,
  endShift,
  listActions,
  listTickets,
  performAction,
  readTicket,
  reassignTicket,
  releaseTicket,
  replyToCustomer,
  resolveTicket,
  returnToHub,
  showInStudio,
  showTicket,
  snoozeTicket,
  suggestReply,
  tagTicket,
  ticketFile,
} from './ticket-definitions.js';
import {
  choiceSchema,
  deskMessageSchema,
  entrySchema,
  offeredActionSchema,
  outcomeSchema,
  suggestionSchema,
  ticketSchema,
  ticketViewSchema,
} from './ticket-schemas.js';

const ticketOf = (ticket: Ticket) => ({ ticket: wire(ticketSchema, toTicketJson(ticket)) });

/** @throws HubError `input_invalid` where the company has no issue type of that id */
function demandIssueType(company: CompanyProfile, issueType: string | undefined): void {
  const known = issueTypeIds(company);
  if (issueType === undefined || known.includes(issueType)) return;
  const message = `must be one of ${known.join(', ')}`;
  throw new HubError('input_invalid', `The request is not understood: issue_type: ${message}`, {
    errors: [{ field: 'issue_type', message }],
  });
}

/** What operators do with tickets. */
export function ticketRoutes({ app, config, work, limits }: HttpDeps): HubRouter {
  const { desk } = app;
  const router = createRouter();

  router.openapi(listTickets, async (c) => {
    const { operatorId, name: operatorName } = operatorOf(c);
    const {
      q,
      issue_type: issueType,
      issue_types: issueTypes,
      operator,
      count,
      facets: faceted,
      rows,
      ...rest
    } = c.req.valid('query');
    demandIssueType(app.company, issueType);
    const query = {
      ...rest,
      issueType,
      issueTypes: issueTypes?.split(','),
      person: operator,
      text: q?.trim() || undefined,
      operatorId,
      operatorName,
    };
    const [entries, counts, total, facets] = await Promise.all([
      desk.entries(query),
      desk.counts(operatorId, operatorName),
      count === 'true' ? desk.total(query) : null,
      faceted === 'true' ? desk.facets(query) : null,
    ]);
    const whole = rows === undefined ? null : new Set(rows.split(','));
    const tickets = entries
      .filter(({ ticket }) => whole === null || whole.has(ticket.ticketId))
      .map((entry) => wire(entrySchema, toEntryJson(entry)));
    const order = whole && entries.map(({ ticket }) => ticket.ticketId);
    return c.json({ tickets, order, counts, total, facets: facets && wire(facetsSchema, facets) }, 200);
  });

  router.openapi(showTicket, async (c) => {
    const { ticket_id: ticketId } = c.req.valid('param');
    const { language: asked, messages } = c.req.valid('query');
    const language = languageOf(c, { app, config }, asked);
    const [view, ticket] = await Promise.all([
      desk.show(ticketId),
      desk.ticket(ticketId, language, messages),
    ]);
    const why = (by: string): string => desk.why(by, language);
    const worded = (text: string, words?: SkillWords): string => desk.worded(text, language, words);
    return c.json(wire(ticketViewSchema, toDeskTicketJson(view, ticket, { why, worded })), 200);
  });

  router.openapi(ticketFile, async (c) => {
    const { ticket_id: ticketId, file_id: fileId } = c.req.valid('param');
    return sendFile(c, await desk.file(ticketId, operatorOf(c), fileId));
  });

  router.openapi(attachToTicket, async (c) => {
    const operator = operatorOf(c);
    const { ticket_id: ticketId } = c.req.valid('param');
    await limits.upload(`operator:${operator.operatorId}`, clientAddress(c, config.server.trustProxy));
    const file = await uploadOf(c, c.req.valid('query').name, app.files);
    return c.json(toFileJson(await work.track(desk.attach(ticketId, operator, file))), 201);
  });

  router.openapi(suggestReply, async (c) => {
    const suggestion = await work.track(desk.suggest(c.req.valid('param').ticket_id));
    return c.json(wire(suggestionSchema, toSuggestionJson(suggestion)), 200);
  });

  router.openapi(showInStudio, async (c) => {
    operatorOf(c);
    const ticket = await desk.show(c.req.valid('param').ticket_id);
    if (app.studio === null) throw new HubError('not_found', 'HUB_STUDIO_URL names no Studio.');
    return c.json({ url: await app.studio(ticket) }, 200);
  });

  router.openapi(claimTicket, async (c) => {
    const { ticket_id: ticketId } = c.req.valid('param');
    const { take_over: reason } = c.req.valid('json');
    const operator = operatorOf(c);
    const claimed =
      reason === undefined
        ? desk.claim(ticketId, operator)
        : desk.takeFromColleague(ticketId, operator, reason);
    return c.json(ticketOf(await work.track(claimed)), 200);
  });

  router.openapi(reassignTicket, async (c) => {
    const { operator_id: to, note } = c.req.valid('json');
    const { ticket_id: ticketId } = c.req.valid('param');
    return c.json(ticketOf(await work.track(desk.reassign(ticketId, operatorOf(c), to, note))), 200);
  });

  router.openapi(listActions, async (c) => {
    const language = languageOf(c, { app, config }, c.req.valid('query').language);
    const actions = await desk.actionsFor(c.req.valid('param').ticket_id, language);
    return c.json(
      { actions: actions.map((one) => wire(offeredActionSchema, toOfferedActionJson(one))) },
      200,
    );
  });

  router.openapi(performAction, async (c) => {
    const { ticket_id: ticketId } = c.req.valid('param');
    const { language: asked, ...wish } = c.req.valid('json');
    const language = languageOf(c, { app, config }, asked);
    const done = await work.track(desk.act(ticketId, operatorOf(c), { ...wish, language }));
    const { consequences, outcome } = done;
    const approval = outcome === null ? null : wire(outcomeSchema, toOutcomeJson(outcome)).approval;
    return c.json({ consequences: [...consequences], approval }, 200);
  });

  router.openapi(tagTicket, async (c) => {
    await work.track(desk.setTags(c.req.valid('param').ticket_id, c.req.valid('json').tags));
    return c.json({}, 200);
  });

  router.openapi(snoozeTicket, async (c) => {
    const { ticket_id: ticketId } = c.req.valid('param');
    await work.track(desk.snooze(ticketId, operatorOf(c), c.req.valid('json').until));
    return c.json({}, 200);
  });

  router.openapi(attendDesk, async (c) => {
    const { ticket_id: ticketId, typing, shift_ends: shiftEnds } = c.req.valid('json');
    const awaySince = await desk.awaySince(operatorOf(c));
    const operators = await desk.attend(operatorOf(c), { ticketId, typing, shiftEnds });
    const there = operators.map((one) => wire(presenceSchema, toPresenceJson(one)));
    return c.json({ operators: there, away_since: awaySince }, 200);
  });

  router.openapi(endShift, async (c) => {
    const returned = await work.track(desk.endShift(operatorOf(c)));
    return c.json({ returned }, 200);
  });

  router.openapi(readTicket, async (c) => {
    const { message_id: messageId } = c.req.valid('json');
    await work.track(desk.read(c.req.valid('param').ticket_id, messageId));
    return c.body(null, 204);
  });

  router.openapi(releaseTicket, async (c) => {
    const ticket = await work.track(desk.release(c.req.valid('param').ticket_id, operatorOf(c)));
    return c.json(ticketOf(ticket), 200);
  });

  const said = async (ticketId: string, message: TicketMessage) => {
    const { ticket } = await desk.show(ticketId);
    return { ...ticketOf(ticket), message: wire(deskMessageSchema, toDeskMessageJson(message)) };
  };

  router.openapi(replyToCustomer, async (c) => {
    const { ticket_id: ticketId } = c.req.valid('param');
    const { text, files } = c.req.valid('json');
    const message = await work.track(desk.reply(ticketId, operatorOf(c), text, files));
    return c.json(await said(ticketId, message), 200);
  });

  router.openapi(addNote, async (c) => {
    const { ticket_id: ticketId } = c.req.valid('param');
    const message = await work.track(desk.note(ticketId, operatorOf(c), c.req.valid('json').text));
    return c.json(await said(ticketId, message), 200);
  });

  router.openapi(resolveTicket, async (c) => {
    const { ticket_id: ticketId } = c.req.valid('param');
    const ticket = await work.track(desk.resolve(ticketId, operatorOf(c), c.req.valid('json')));
    return c.json(ticketOf(ticket), 200);
  });

  router.openapi(returnToHub, async (c) => {
    const { ticket_id: ticketId } = c.req.valid('param');
    const ticket = await work.track(desk.returnToHub(ticketId, operatorOf(c), c.req.valid('json').note));
    return c.json(ticketOf(ticket), 200);
  });

  router.openapi(chooseOption, async (c) => {
    const { ticket_id: ticketId } = c.req.valid('param');
    const operator = operatorOf(c);
    const outcome = await work.track(desk.choose(ticketId, c.req.valid('json').choice, operator));
    const { ticket } = await desk.show(ticketId);
    return c.json(wire(choiceSchema, { ...ticketOf(ticket), ...toChoiceJson(outcome) }), 200);
  });

  return router;
}
