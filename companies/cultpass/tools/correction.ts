import { z } from 'zod';
import { cannotRun, type Sentences } from '../../../src/core/i18n/index.js';
import {
  type ActionTool,
  type DecisionView,
  defineAction,
  type SessionView,
  type ToolDeps,
} from '../../../src/runtime/define-tool.js';
import { CURRENCY } from '../data/customer-records.js';
import type { Correction } from '../data/records.js';
import type { Verdict } from '../policy/policy.js';
import type { CultpassDeps } from './shapes.js';

type Deps = Pick<ToolDeps, 'clock' | 'texts'>;

/** The exact effect: what it is about, and the money that goes back with it. */
const termsSchema = z.object({
  /** Title of the experience or name of the plan; null for the monthly fee. */
  about: z.string().nullable(),
  /** 0 where no money moves. */
  amount_cents: z.number().int().min(0),
  charges: z.array(z.object({ paymentId: z.string(), amountCents: z.number().int() })),
  tier: z.enum(['basic', 'premium']).nullable(),
});
/** See `termsSchema`. */
export type Terms = z.infer<typeof termsSchema>;

/** One correction: its rule, and what it changes. */
interface CorrectionSpec<Input extends z.ZodObject> {
  readonly name: string;
  readonly label: { readonly en: string; readonly 'pt-BR': string };
  readonly issueType: string;
  readonly input: Input;
  readonly claims: 'refund' | 'change';
  /** What it is done to, which an operator chooses; absent where it is the account itself. */
  readonly of?: 'reservation_id' | 'payment_id' | 'refund_id';
  /** The rule, on the data as they are now. */
  decide(input: z.infer<Input>, customerId: string, now: Date): Promise<Verdict<Terms>>;
  change(input: z.infer<Input>, terms: Terms): Correction;
}

/** No effect at all, to begin terms with. */
export const nothing: Terms = { about: null, amount_cents: 0, charges: [], tier: null };

/** The customer's bookings, charges or refunds as people call them. */
async function candidates(
  { customers }: Pick<CultpassDeps, 'customers'>,
  of: 'reservation_id' | 'payment_id' | 'refund_id',
  customerId: string,
  texts: Sentences,
) {
  const bookings = await customers.listReservations(customerId);
  const money = (minorUnits: number, currency: string) => ({ minorUnits, currency });
  if (of === 'payment_id') {
    const titles = new Map(bookings.map(({ reservationId: id, experience }) => [id, experience.title]));
    return (await customers.listPayments(customerId)).map((charge) => ({
      id: charge.paymentId,
      title: titles.get(charge.reservationId ?? '') ?? texts.sayOwn('record.plan_charge'),
      startsAt: charge.createdAt,
      amount: money(charge.amountCents, charge.currency),
    }));
  }
  return bookings.flatMap(({ reservationId, experience: { title, startsAt }, paidCents, refund }) => {
    if (of === 'reservation_id')
      return [{ id: reservationId, title, startsAt, amount: money(paidCents, CURRENCY) }];
    if (refund === null) return [];
    return [
      { id: refund.refundId, title, startsAt: refund.createdAt, amount: money(refund.amountCents, CURRENCY) },
    ];
  });
}

/** A correction as the gate takes it: what all of them say is here, once. */
export function correction<Input extends z.ZodObject>(
  own: CultpassDeps,
  { name, label, issueType, claims, of, input: shape, decide, change }: CorrectionSpec<Input>,
): ActionTool {
  const said = (terms: Terms, texts: Sentences) => ({
    tool: name,
    about: terms.about ?? null,
    amount: terms.amount_cents > 0 ? texts.money(terms.amount_cents) : null,
    tier: terms.tier ?? null,
  });
  /** Asked of the rules themselves, so that nothing is offered that they refuse. */
  const among = async (deps: Deps, customerId: string, texts: Sentences) => {
    const all = of === undefined ? [] : await candidates(own, of, customerId, texts);
    const now = deps.clock.now();
    const verdicts = await Promise.all(
      all.map(({ id }) => decide({ [of ?? '']: id } as z.infer<Input>, customerId, now)),
    );
    return all.filter((_, at) => verdicts[at]?.kind === 'allowed');
  };
  const nameIn = (language: SessionView['language']) => label[language as keyof typeof label] ?? label.en;
  return defineAction({
    name,
    label,
    activity: label,
    description: `${label.en}. Decided by an operator.`,
    effect: 'irreversible',
    access: 'customer',
    issueType,
    input: shape,
    output: termsSchema,
    claims: () => [claims],
    ...(of && { picks: { input: of, among } }),
    async plan(deps: Deps, input, customerId: string, session: SessionView) {
      const verdict = await decide(input as z.infer<Input>, customerId, deps.clock.now());
      if (verdict.kind === 'denied') return verdict;
      const { terms } = verdict;
      const question = (language: SessionView['language']) => {
        const texts = deps.texts.for(language);
        return texts.sayOwn('correction_question', said(terms, texts));
      };
      return {
        kind: 'ready',
        terms: { ...terms },
        question: question(session.language),
        approval: question('en'),
      };
    },
    async matter(deps: Deps, _input, _customerId: string, { language }: SessionView) {
      const texts = deps.texts.for(language);
      const what = nameIn(language);
      return {
        kind: 'refund',
        name: texts.sayOwn('correction_name', { what }),
        unchanged: texts.sayOwn('correction_unchanged'),
        ifAgreed: null,
        about: null,
      };
    },
    request: (_input, texts) => texts.sayOwn('correction_name', { what: nameIn(texts.language) }),
    async consequences(deps: Deps, input, { customerId, customer, language }: DecisionView) {
      const texts = deps.texts.for(language);
      const verdict = await decide(input as z.infer<Input>, customerId, deps.clock.now());
      const what = texts.sayOwn('correction_for', { what: nameIn(language), customer });
      if (verdict.kind === 'denied') return [what, cannotRun(texts, verdict.code)];
      const { terms } = verdict;
      return [
        what,
        texts.sayOwn('correction_question', said(terms, texts)),
        terms.amount_cents > 0
          ? texts.sayOwn('pays_back', { amount: texts.money(terms.amount_cents) })
          : texts.sayOwn('pays_nothing_now'),
      ];
    },
    async perform(_deps: Deps, input, terms, write) {
      // Where it was done before and the process stopped, there are no terms: the ledger then gives the first outcome.
      const agreed = termsSchema.safeParse(terms).data ?? nothing;
      return own.customerWrites.correct(name, write, agreed, change(input as z.infer<Input>, agreed));
    },
    describe: (output, texts) => texts.sayOwn('correction_done', said(output, texts)),
    refused: (code, texts) => texts.sayOwn('correction_refused', { tool: name, code }) || null,
  });
}
