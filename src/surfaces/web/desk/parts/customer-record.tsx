import { Badge } from '../../shared/components/card.js';
import { language } from '../../shared/i18n.js';
import { useStore } from '../../shared/store.js';
import { money } from '../lib/values.js';
import type { CustomerRecord, Payment, Reservation } from '../lib/wire-records.js';
import { term, useWords } from '../words/index.js';
import { Time } from './time.js';

/** Subscription and quota. */
export function Plan({ record: { subscription, quota } }: { readonly record: CustomerRecord }) {
  const words = useWords();
  return (
    <dl class="facts">
      <div>
        <dt>{words.customers.subscription}</dt>
        <dd>
          {subscription === null ? (
            words.customers.noSubscription
          ) : (
            <>
              {term(words.subscription, subscription.tier)}{' '}
              <Badge tone={subscription.status === 'active' ? 'good' : 'sun'}>
                {term(words.subscription, subscription.status)}
              </Badge>
            </>
          )}
        </dd>
      </div>
      {subscription?.ended_at && (
        <div>
          <dt>{words.customers.ends}</dt>
          <dd>
            <Time at={subscription.ended_at} />
          </dd>
        </div>
      )}
      {quota !== null && (
        <div>
          <dt>{words.customers.quota}</dt>
          <dd>
            {words.customers.quotaText(quota.used, quota.monthly_quota)} · {words.customers.resets}{' '}
            <Time at={quota.resets_at} />
          </dd>
        </div>
      )}
    </dl>
  );
}

/** Reservations with what became of them and what was paid back. */
export function ReservationList({ reservations }: { readonly reservations: readonly Reservation[] }) {
  const words = useWords();
  const shown = useStore(language);
  if (reservations.length === 0) return <p class="soft">{words.customers.noReservations}</p>;
  return (
    <ul class="ledger">
      {reservations.map((reservation) => {
        const experience = reservation.experience ?? reservation;
        const place = 'location' in experience ? experience.location : undefined;
        return (
          <li key={reservation.reservation_id}>
            <span class="ledger__what">
              {experience.title ?? reservation.reservation_id}
              <small>
                {experience.starts_at && <Time at={experience.starts_at} />} {place}
              </small>
            </span>
            <span class="ledger__state">
              <Badge>{term(words.reservation, reservation.status)}</Badge>
              {(reservation.paid_cents ?? 0) > 0 && (
                <small>{money(reservation.paid_cents ?? 0, shown)}</small>
              )}
              {reservation.refund && (
                <small>
                  {words.customers.refund} {money(reservation.refund.amount_cents, shown)} ·{' '}
                  {term(words.payment, reservation.refund.status)}
                </small>
              )}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

/** Payments, newest first as the server gives them. */
export function PaymentList({ payments }: { readonly payments: readonly Payment[] }) {
  const words = useWords();
  const shown = useStore(language);
  if (payments.length === 0) return <p class="soft">{words.customers.noPayments}</p>;
  return (
    <ul class="ledger">
      {payments.map((payment) => (
        <li key={payment.payment_id}>
          <span class="ledger__what">
            {money(payment.amount_cents, shown, payment.currency)}
            <small>
              <Time at={payment.created_at} />{' '}
              {payment.reservation_id === null ? words.customers.planCharge : payment.reservation_id}
            </small>
          </span>
          <Badge tone={payment.status === 'failed' ? 'bad' : 'plain'}>
            {term(words.payment, payment.status)}
          </Badge>
        </li>
      ))}
    </ul>
  );
}

/** What is remembered of a customer: preferences, and how earlier tickets ended. */
export function Memory({ memory }: { readonly memory: CustomerRecord['memory'] }) {
  const words = useWords();
  return (
    <>
      <h4>{words.customers.preferences}</h4>
      {memory.preferences.length === 0 ? (
        <p class="soft">{words.customers.noPreferences}</p>
      ) : (
        <dl class="facts">
          {memory.preferences.map(({ key, value }) => (
            <div key={key}>
              <dt>{key.replaceAll('_', ' ')}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      <h4>{words.customers.resolutions}</h4>
      {memory.resolutions.length === 0 ? (
        <p class="soft">{words.customers.noResolutions}</p>
      ) : (
        <ul class="ledger">
          {memory.resolutions.map((resolution) => (
            <li key={resolution.resolution_id}>
              <span class="ledger__what">
                {resolution.summary}
                <small>
                  {term(words.resolution, resolution.resolution_type)} · <Time at={resolution.created_at} />
                </small>
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
