import { cannotText, type DialogueAnswer, endAnswer, leftText } from './act-answer.js';
import { wantedAgain, whenMoneyIsBack } from './after-done.js';
import { changeAsked } from './change-asked.js';
import { likeliestChange } from './change-heard.js';
import { chosenReading } from './clarify.js';
import { ADDRESS, asksOnOfArticle, isBareAddress } from './dialogue-act.js';
import { listMeant } from './dialogue-lists.js';
import { namedOwn } from './dialogue-records.js';
import type { DialogueTurn } from './dialogue-types.js';
import { facetAnswer } from './facets.js';
import type { HeardMessage } from './heard-message.js';
import { type InConversation, NOTHING } from './in-conversation.js';
import { listAtPlace } from './list-at-place.js';
import { endsAskingForPerson } from './message-reading.js';
import { neighbourAnswer } from './neighbours.js';
import { acceptedOffer, isBrief, lifeAnswer, offerInstead, tellsOnly, unwantedRecord } from './offers.js';
import { explanationAsked, onlyAsked } from './only-asked.js';
import { answersInput, namesChoice } from './open-question.js';
import { declinedWhy, requestStatus } from './open-requests.js';
import { passedBefore, passedOn, teamAskedAfter, teamCalledOff } from './passed-on.js';
import { plainlyOrdered } from './plain-order.js';
import { asksForMore } from './reading-decision.js';
import { statesAnswer } from './record-states.js';
import { requestNamed } from './request-named.js';
import { addedDetails } from './request-status.js';
import { givesRequestedDetails } from './requested-details.js';
import { answersProcedure } from './same-symptom.js';
import { toldOfShown } from './told-of-shown.js';
import { undoneAnswer } from './undone.js';

/** One thing that a message may be in its conversation. */
export interface ConversationReader {
  /** Stands in the log of the turn, with the route that it led to. */
  readonly name: string;
  /** What the message is; null where it is nothing of this kind. */
  read(heard: HeardMessage): Promise<InConversation | null>;
}

/** An answer of the hub's own; null where there is none. */
export function saying(spoken: DialogueAnswer | null): InConversation | null {
  return spoken && { ...NOTHING, spoken };
}

/** The message goes on with what is being looked into. */
export function goingOn({ state }: DialogueTurn): InConversation {
  return { ...NOTHING, symptom: state.symptom ?? null };
}

/** What is left to a person. */
export function forPerson(text: string): InConversation {
  return { ...NOTHING, own: [{ text, asks: [], person: true }] };
}

/**
 * What a message may be in the light of what was asked, offered or done before it, in the order in which that is tried: the
 * first that says something decides. What comes early answers a question of the hub's; what comes late only leans on the
 * last answer.
 */
export const CONVERSATION_READERS: readonly ConversationReader[] = [
  {
    // A choice that was asked for is no danger to anybody, whatever its name sounds like.
    name: 'chosen_input',
    read: async ({ deps, graph, text, session }) =>
      answersInput(deps, graph.focus, text, session)
        ? { ...NOTHING, isTold: namesChoice(deps, graph.focus, text) }
        : null,
  },
  {
    name: 'alarm_taken_back',
    read: async ({ session, state, texts }) =>
      session.meant?.takesBack === 'alarm_alone'
        ? saying({ text: texts.say('false_alarm', { asks: false }), state, isExact: true })
        : null,
  },
  // A number is nothing else than itself.
  { name: 'request_named', read: async (heard) => saying(await requestNamed(heard, heard.read)) },
  { name: 'only_asked', read: onlyAsked },
  { name: 'explanation_asked', read: explanationAsked },
  { name: 'team_asked', read: passedOn },
  { name: 'team_called_off', read: teamCalledOff },
  { name: 'team_asked_after', read: teamAskedAfter },
  // "No! I want the plan undone" turns down an offer only because another was meant.
  { name: 'undone', read: async (heard) => saying(await undoneAnswer(heard)) },
  {
    name: 'offer_answered',
    async read(heard) {
      const accepted = await acceptedOffer(heard);
      if (accepted === 'declined') {
        const { message, state, texts } = heard;
        return asksForMore(message) ? null : saying({ text: texts.say('nothing_changed'), state });
      }
      // A word that only says which is no anger, whatever such words are like.
      return accepted && { ...NOTHING, accepted, isTold: isBrief(heard.text) };
    },
  },
  {
    name: 'wanted_again',
    async read(heard) {
      const accepted = await wantedAgain(heard);
      return accepted && { ...NOTHING, accepted };
    },
  },
  {
    name: 'procedure_answered',
    read: async (heard) => (answersProcedure(heard) ? goingOn(heard) : null),
  },
  {
    name: 'reading_chosen',
    async read(heard) {
      const { deps, graph, session, state, text, written } = heard;
      const reading = chosenReading(deps, graph, { text, written }, session);
      if (reading?.kind === 'none') return passedBefore(heard);
      if (reading?.kind === 'left') return saying({ text: leftText(heard), state });
      return reading?.kind === 'about'
        ? { ...NOTHING, about: reading.title, asked: session.previousMessage }
        : null;
    },
  },
  {
    name: 'address_alone',
    read: async (heard) =>
      isBareAddress(heard) ? saying({ text: heard.texts.say('address_only'), state: heard.state }) : null,
  },
  {
    name: 'other_account',
    read: async (heard) =>
      namesOtherAccount(heard)
        ? saying({ text: heard.texts.say('own_account_only'), state: heard.state, isExact: true })
        : null,
  },
  {
    name: 'life_event',
    async read(heard) {
      const { graph, read, session, text } = heard;
      return session.life && read.acts.length === 0 && tellsOnly(graph, text)
        ? saying(await lifeAnswer(heard, session.life))
        : null;
    },
  },
  {
    name: 'details_added',
    async read(heard) {
      const adds = await addedDetails(heard, heard.message);
      return adds === null ? null : { ...NOTHING, adds };
    },
  },
  {
    name: 'details_given',
    async read(heard) {
      const gives = (await givesRequestedDetails(heard)) || endsAskingForPerson(heard);
      if (!gives) return null;
      // The new address, after steps for the customer alone, is nothing that the team could do with more right.
      const cannot = heard.deps.language.invites(heard.session.lastReply ?? '') ? null : cannotText(heard);
      return cannot === null || endsAskingForPerson(heard)
        ? forPerson(heard.text)
        : saying({ text: cannot, state: heard.state });
    },
  },
  {
    name: 'declined_why',
    async read(heard) {
      const text = await declinedWhy(heard);
      return text === null ? null : saying({ text, state: heard.state, isExact: true });
    },
  },
  { name: 'request_status', read: async (heard) => saying(await requestStatus(heard, heard.read)) },
  { name: 'plain_order', read: plainlyOrdered },
  {
    name: 'change_asked',
    async read(heard) {
      const change = await changeAsked(heard);
      if (!change) return null;
      return 'answer' in change ? saying(change.answer) : { ...NOTHING, ...change };
    },
  },
  {
    name: 'list_at_place',
    async read(heard) {
      const list = await listAtPlace(heard);
      return list && { ...NOTHING, list };
    },
  },
  {
    name: 'list_meant',
    async read(heard) {
      const list = heard.message && (await listMeant(heard, heard.message));
      return list && { ...NOTHING, list };
    },
  },
  { name: 'offer_instead', read: async (heard) => saying(await offerInstead(heard)) },
  // Asked of what was just done or waits, whatever else such words are asked of.
  { name: 'what_became_of_it', read: async (heard) => saying(await endAnswer(heard)) },
  {
    name: 'when_money_is_back',
    async read(heard) {
      const when = await whenMoneyIsBack(heard);
      if (when === null) return null;
      return 'text' in when
        ? saying({ ...when, state: heard.state })
        : { ...NOTHING, about: when.title, only: true, isTold: true };
    },
  },
  { name: 'next_or_before', read: async (heard) => saying(await neighbourAnswer(heard)) },
  {
    name: 'record_facets',
    async read(heard) {
      const facets = await facetAnswer(heard);
      return facets && (facets.rest === '' ? saying(facets) : { ...NOTHING, beside: facets });
    },
  },
  { name: 'told_of_shown', read: async (heard) => saying(toldOfShown(heard)) },
  { name: 'record_states', read: async (heard) => saying(await statesAnswer(heard)) },
  {
    name: 'article_asked_on',
    async read(heard) {
      if ((await namedOwn(heard)).length > 0) return null;
      const about = await asksOnOfArticle(heard);
      return about === null ? null : { ...NOTHING, ...about };
    },
  },
  {
    name: 'record_unwanted',
    async read(heard) {
      const accepted = await unwantedRecord(heard);
      return accepted && { ...NOTHING, accepted, isTold: true };
    },
  },
];

/** True where what is asked for is somebody else's, by the address of it: a customer sees and changes their own alone. */
function namesOtherAccount({ deps, graph, session, text }: DialogueTurn): boolean {
  const own = session.identity.kind === 'customer' ? session.identity.email.toLowerCase() : null;
  const foreign = [...text.matchAll(new RegExp(ADDRESS, 'g'))].some(([email]) => email.toLowerCase() !== own);
  if (own === null || !foreign) return false;
  // An address may be what a change is given: where to send something, the new one.
  const given = likeliestChange(deps, text, session)?.asks?.inputs ?? [];
  if (given.some(({ reading }) => reading.kind === 'text')) return false;
  const routes = graph.classification?.requests.map(({ route }) => route) ?? [];
  return routes.some((route) => route === 'account' || (route !== null && deps.agents.changes(route)));
}
