import type { EscalationReason } from '../domain/taxonomy.js';
import type { ErrorCode } from '../errors.js';
import type { NextStep, Texts } from './texts.js';

const plural = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

const upcomingStay = (upcoming: number): string =>
  upcoming === 0
    ? ''
    : ` Your ${plural(upcoming, 'upcoming reservation stays', 'upcoming reservations stay')} valid.`;

const refundPart = (refund: string | null): string =>
  refund ? `You get ${refund} back` : 'Nothing was paid for it, so there is nothing to refund';

const APPROVAL_REASON = {
  amount_above_limit: 'the amount is above what I may refund by myself',
  cancelled_late: 'it was cancelled close to the start',
  late_cancellation: 'the start is too near for an automatic cancellation',
  no_show: 'the experience has already taken place',
} as const;

const INTENT = {
  cancel_reservation: 'cancel',
  process_refund: 'have refunded',
} as const;

const verb = (intent: string): string => INTENT[intent as keyof typeof INTENT] ?? 'talk about';

const ACTIONS: Record<string, string> = {
  cancel_reservation: 'cancel a reservation',
  process_refund: 'refund a reservation',
  'update_subscription pause': 'pause the subscription',
  'update_subscription resume': 'resume the subscription',
  'update_subscription cancel': 'cancel the subscription',
};

const SUBSCRIPTION_CHANGE = { pause: 'pause', resume: 'resumption', cancel: 'cancellation' } as const;

const VALUES: Record<string, string> = {
  en: 'English',
  'pt-BR': 'Portuguese',
  email: 'e-mail',
  whatsapp: 'WhatsApp',
};

const REFUSALS: Partial<Record<ErrorCode, string>> = {
  not_signed_in:
    'I can only look at or change account data once you are signed in. Please sign in and ask me again.',
  customer_blocked:
    'Your account is blocked at the moment, so I cannot change anything on it. I can still answer questions, and our team can review the block.',
  not_found: 'I could not find that among your own bookings.',
  already_done: 'That has already been done, so there is nothing left to change.',
  already_refunded: 'That reservation has already been refunded; a refund is made only once.',
  not_upcoming: 'That experience has already started or taken place, so it can no longer be cancelled.',
  attended: 'You attended that experience, so it can neither be cancelled nor refunded.',
  nothing_paid: 'Nothing was paid for that reservation, so there is nothing to refund.',
  wrong_status: 'That is not possible in its current status.',
  policy_denied: 'Our rules do not allow a pause of that length. Please choose a shorter one.',
  pending_expired:
    'That question has expired, so nothing was changed. Please ask again if you still want it.',
  pending_mismatch: 'The conditions have changed since I asked, so I did nothing. Please ask me again.',
  input_too_large: 'That message is too long for me. Please send the important part in a few sentences.',
  scope_missing:
    'The program you are using was not given the right to see or change that for you, and nothing was changed. You can do it in a new conversation in the CultPass chat.',
  confirmation_invalid:
    'That confirmation does not belong to this request, so nothing was changed. Please ask again if you still want it.',
  cancelled: 'The request was withdrawn before it was carried out, so nothing was changed.',
  remote_unreachable:
    'The service that knows this cannot be reached at the moment. Please try again a little later.',
  remote_refused: 'The service that knows this did not accept the request, so I have no answer from it.',
  remote_failed: 'The service that knows this could not complete the request, so I have no answer from it.',
  remote_bad_answer:
    'The service that knows this gave an answer that I cannot use, so I have not passed it on.',
  remote_forbidden_address: 'I may not contact the service that was meant to know this, so I did not ask it.',
};

const HANDED_OVER: Record<EscalationReason, string> = {
  requires_human: 'This needs a person, so I have passed it on to our team with everything you told me.',
  low_confidence:
    'I do not have a reliable answer to this, so I have passed it on to our team instead of guessing.',
  customer_request: 'Of course. I have passed you on to our team with everything you told me.',
  sentiment_priority: 'I am sorry for the trouble. I have passed this on to our team as a priority.',
  legal: 'This has to be handled by a person, so I have passed it on to our team as a priority.',
  fault:
    'Something went wrong on our side and nothing further was changed. I have passed this on to our team.',
  hop_limit: 'I could not bring this to an end by myself, so I have passed it on to our team.',
};

function nextStep({ by, outOfHours }: NextStep): string {
  const who = outOfHours ? 'Our support is closed at the moment. Our team' : 'Our team';
  return by === null
    ? 'Our team will answer you here as soon as they can; I am sorry that it takes longer than it should.'
    : `${who} will answer you here by ${by} (Brasília time).`;
}

/** English. */
export const en: Texts = {
  confirmCancel: ({ title, when, refund }) =>
    `Shall I cancel "${title}" on ${when}? ${refundPart(refund)}, and the visit returns to your plan. Please answer yes or no.`,
  confirmCancelApproval: ({ title, when, refund, reason, hours }) =>
    `"${title}" is on ${when}. ${
      reason === 'late_cancellation'
        ? `That is less than ${hours} hours away, so our team has to agree to the cancellation${refund ? ` and the refund of ${refund}` : ''}.`
        : `The refund of ${refund ?? 'the amount'} needs our team's agreement, because ${APPROVAL_REASON[reason]}.`
    } Your booking stays as it is until they decide. Shall I ask them? Please answer yes or no.`,
  confirmRefund: ({ title, amount }) =>
    `Shall I refund ${amount} for "${title}" to the payment method you used? Please answer yes or no.`,
  confirmRefundApproval: ({ title, amount, reason }) =>
    `A refund of ${amount} for "${title}" needs our team's agreement, because ${APPROVAL_REASON[reason]}. Shall I ask them? Please answer yes or no.`,
  confirmPause: ({ days, until, upcoming }) =>
    `Shall I pause your subscription for ${plural(days, 'day', 'days')}, until ${until}? You are not charged meanwhile and cannot make new reservations.${upcomingStay(upcoming)} You can resume at any time. Please answer yes or no.`,
  confirmResume: () =>
    'Shall I resume your subscription now? Charges start again with your next billing day and you can book at once. Please answer yes or no.',
  confirmCancelSubscription: ({ upcoming }) =>
    `Shall I cancel your subscription? It ends at once for new bookings, the current month is not refunded, and your history is kept.${upcomingStay(upcoming)} If you only need a break, I can pause it instead. Please answer yes or no.`,
  waitingForApproval: () =>
    'I have asked our team. They usually decide within one business day, and nothing changes until then. You will get the answer here.',
  cancelled: ({ title, refund }) =>
    refund
      ? `Done: "${title}" is cancelled and ${refund} is on its way back to your payment method. The visit is back on your plan.`
      : `Done: "${title}" is cancelled and the visit is back on your plan.`,
  refunded: ({ title, amount }) =>
    `Done: ${amount} for "${title}" is being refunded. Cards take 5 to 10 business days, Pix up to 2.`,
  paused: ({ until, upcoming }) =>
    `Done: your subscription is paused until ${until}.${upcomingStay(upcoming)}`,
  resumed: () => 'Done: your subscription is active again.',
  subscriptionCancelled: ({ upcoming }) =>
    `Done: your subscription is cancelled.${upcomingStay(upcoming)} You are welcome back any time.`,
  done: () => 'Done.',
  nothingChanged: () => 'All right, I have not changed anything.',
  cancellationOf: ({ title, when }) => `the cancellation of "${title}"${when ? ` on ${when}` : ''}`,
  refundOf: ({ title }) => `the refund for "${title}"`,
  subscriptionChange: ({ change }) => `the ${SUBSCRIPTION_CHANGE[change]} of your subscription`,
  bookingStands: ({ title, when }) =>
    `Nothing has been cancelled: your booking for "${title}" on ${when} stands.`,
  notRefunded: ({ title }) => `Nothing has been refunded for "${title}", and nothing else was changed.`,
  subscriptionStands: ({ change }) =>
    change === 'resume'
      ? 'Your subscription has not been resumed: it stays paused.'
      : `Your subscription has not been ${change === 'pause' ? 'paused' : 'cancelled'}: it goes on as before.`,
  withdrawn: ({ unchanged }) => `All right, I have taken your request back and told our team. ${unchanged}`,
  doneBefore: ({ outcome, byTeam }) =>
    `${byTeam ? 'Our team had agreed before your message came, so it' : 'It'} is too late to take this back: it has been done already. ${outcome} I cannot undo it, but I can ask a person to look at it if you like.`,
  closedBefore: () => 'That request was closed already, and nothing was changed.',
  stillWithTeam: ({ names, ifAgreed }) =>
    `Our team has not decided yet about ${names.join(' and ')}. Nothing has changed so far, and you will get the answer here.${ifAgreed === null ? '' : ` ${ifAgreed}`}`,
  refundIfAgreed: ({ refund }) =>
    refund ? `If they agree, you get ${refund} back.` : 'Nothing was paid for it, so nothing comes back.',
  withdrawIt: ({ name }) =>
    `Your request is still with our team: ${name}. Shall I take it back, so that nothing changes? Please answer yes or no.`,
  withdrawWhich: ({ list }) =>
    `Several of your requests are with our team. Which one shall I take back?\n${list}`,
  operatorDeclined: ({ reason }) =>
    `Our team looked at it and could not agree to it${reason ? `: ${reason.replace(/[.!?\s]+$/, '')}.` : '.'} Nothing was changed.`,
  nothingOpen: () => 'There is no open question from my side. What can I do for you?',
  preferenceSaved: ({ key, value }) => `Noted: ${key.replace('_', ' ')} is now ${VALUES[value] ?? value}.`,
  whichReservation: ({ intent, list }) => `Which one would you like to ${verb(intent)}?\n${list}`,
  noSuchReservation: ({ mentioned, list }) =>
    list
      ? `I could not find "${mentioned}" among your bookings. These are the ones it could be:\n${list}`
      : `I could not find "${mentioned}" among your bookings.`,
  noReservationsFor: ({ intent }) => `You have no reservation that I could ${verb(intent)}.`,
  answerYesOrNo: ({ question }) => `I want to be sure before I do anything. ${question}`,
  reminder: ({ question }) => `By the way, this is still open: ${question}`,
  questionExpired: () => 'My earlier question has expired, so nothing was changed.',
  answerCut: () => 'My answer grew too long, so I stop here. Please ask me about the part that you need.',
  clarify: () =>
    'I am not sure what you need. Is it about a booking, your subscription, a payment, or how something works? A few more words will help.',
  emptyMessage: () => 'Your message arrived empty. What can I do for you?',
  reservations: ({ upcoming, past }) =>
    upcoming || past
      ? [
          upcoming ? `Your upcoming reservations:\n${upcoming}` : 'You have no upcoming reservations.',
          past ? `Earlier ones:\n${past}` : '',
        ]
          .filter(Boolean)
          .join('\n\n')
      : 'You have no reservations yet.',
  reservationLine: ({ title, when, place, status }) =>
    `${title}, ${when}, ${place}${status === 'reserved' ? '' : ` (${status})`}`,
  subscription: ({ status, tier, quota, since, ended }) =>
    `You are on the ${tier} plan with ${plural(quota, 'visit', 'visits')} a month. It is ${status}, started on ${since}${
      ended ? (status === 'paused' ? ` and resumes on ${ended}` : ` and ended on ${ended}`) : ''
    }.`,
  noSubscription: () => 'You do not have a subscription.',
  visitsLeft: ({ remaining, quota, used, resets, status }) =>
    `You have ${plural(remaining, 'visit', 'visits')} left this month (${used} of ${quota} used). The count starts again on ${resets}.${
      status === 'active' ? '' : ` Your subscription is ${status}, so you cannot book at the moment.`
    }`,
  profile: ({ name, email, since, preferences }) =>
    `You are registered as ${name} with ${email}, a member since ${since}.${preferences ? ` Preferences: ${preferences}.` : ''}`,
  payments: ({ list }) =>
    list ? `Your latest payments:\n${list}` : 'There are no payments on your account.',
  paymentLine: ({ date, amount, what, status }) =>
    `${date}: ${amount}, ${what ?? 'subscription'} (${status})`,
  refunds: ({ list }) =>
    list
      ? `Your refunds:\n${list}\nCards take 5 to 10 business days, Pix up to 2.`
      : 'There is no refund on your account.',
  refundMissing: ({ title, amount, offer }) =>
    `You paid ${amount} for "${title}", it was cancelled, and no refund has been made for it. ${offer ? 'Would you like me to refund it now?' : 'You can have it refunded in the CultPass chat.'}`,
  blocked: () => REFUSALS.customer_blocked ?? '',
  seeAlso: ({ titles }) => `This may help as well: ${titles}.`,
  identity: () =>
    'I am the CultPass support assistant, a program. I answer questions, look up your bookings and plan, and cancel, refund or pause for you. Our team takes over whenever you ask for a person.',
  refundLine: ({ title, amount, date, status }) => `${title}: ${amount}, made on ${date} (${status})`,
  greeting: ({ name, lastTopic }) =>
    `Hello${name ? `, ${name}` : ''}! ${lastTopic ? `Last time we talked about this: ${lastTopic} ` : ''}How can I help you with CultPass today?`,
  thanks: () => 'You are welcome! Is there anything else I can do for you?',
  goodbye: () => 'Thank you for writing. Enjoy your next experience!',
  acknowledge: () => 'I am sorry about this, and I understand that it is frustrating.',
  unsupportedLanguage: () => 'I can answer in English and Portuguese only, so I am answering in English.',
  signIn: () => REFUSALS.not_signed_in ?? '',
  experiences: ({ list, exact }) =>
    list
      ? `${exact ? 'This is what I found' : 'I found nothing that fits exactly. This is also on'}:\n${list}`
      : 'I found nothing in the programme that fits. Try another city, date or word.',
  experienceLine: ({ title, when, place, price, premium, slots }) =>
    `${title}, ${when}, ${place}: ${price ? `${price} extra` : 'included in the plan'}${premium ? ', Premium' : ''}${
      slots === 0 ? ', sold out (waiting list)' : ''
    }`,
  handedOver: ({ reason }) => HANDED_OVER[reason],
  escalated: ({ reason, ...next }) => `${HANDED_OVER[reason]} ${nextStep(next)}`,
  joined: (next) =>
    `I have added this to your request that our team already has, so you do not need to write twice. ${nextStep(next)}`,
  withColleague: ({ name, back }) =>
    `${
      name === null
        ? 'Your conversation is with our team, and they have your message. They will answer you here.'
        : `${name} from our team is taking care of your conversation and will answer you here.`
    }${back === null ? '' : ` Our support is closed at the moment and opens again on ${back} (Brasília time).`}`,
  closedBy: ({ name }) =>
    `${name} from our team has closed this request. If something is still open, just write here again.`,
  notAgain: () =>
    'A colleague has looked at this and handed the conversation back to me, and I cannot do more about it by myself. If you want a person to look at it again, just write "I want to talk to a person".',
  approvalExpired: () =>
    'What I had asked our team has expired before they decided, so nothing was changed. I am sorry. If you still want it, please ask me again.',
  operatorChanged: ({ question }) =>
    `Our team looked at it and suggests something else instead; nothing was changed so far. ${question}`,
  askedByProgram: ({ protocol, what }) =>
    `Through a program that I have connected to my account (${protocol}): ${what}.`,
  answeredByProgram: ({ protocol, approved }) =>
    `${approved ? 'Yes' : 'No'}. (Answered through a connected program, ${protocol}.)`,
  actionName: (name) => ACTIONS[name] ?? name.replaceAll('_', ' '),
  refusal: (code) => REFUSALS[code] ?? 'That did not work, and nothing was changed.',
};
