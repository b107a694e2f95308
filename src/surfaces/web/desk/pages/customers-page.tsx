import { useState } from 'preact/hooks';
import type { CustomerRecord } from '../../shared/api-types.js';
import { Avatar, Badge, Icon } from '../../shared/components/controls.js';
import { language } from '../../shared/i18n.js';
import { useIssueLabel } from '../../shared/labels.js';
import { fill } from '../../shared/message.js';
import { useStore } from '../../shared/store.js';
import { useDesk } from '../lib/desk-context.js';
import { linkTo } from '../lib/location.js';
import { onEverything, onNothing, useData } from '../lib/use-data.js';
import { term } from '../lib/values.js';
import { Records } from '../parts/arguments.js';
import { Memory } from '../parts/memory.js';
import { Empty, MasterDetail, SearchBox, Show } from '../parts/states.js';
import { Time, useSettled } from '../parts/time.js';
import { useTexts } from '../texts.js';

/** Finds customers and shows what is known of one. */
export function CustomersPage({ customerId }: { readonly customerId: string | null }) {
  const texts = useTexts();
  const { api } = useDesk();
  const [text, setText] = useState('');
  const q = useSettled(text);
  const found = useData(`customers:${q}`, () => api.customers(q), onNothing);
  return (
    <MasterDetail
      title={texts.customers.title}
      open={customerId !== null}
      list={
        <>
          <div class="split__top">
            <h2>{texts.customers.title}</h2>
            <SearchBox label={texts.customers.search} value={text} onInput={setText} />
          </div>
          <Show loaded={found}>
            {({ customers }) =>
              customers.length === 0 ? (
                <Empty text={q === '' ? texts.customers.empty : texts.customers.nothing} />
              ) : (
                <ul class="picks">
                  {customers.map(({ customer_id, name, email, blocked }) => (
                    <li key={customer_id}>
                      <a
                        class="pick"
                        href={linkTo('customers', customer_id)}
                        aria-current={customer_id === customerId ? 'true' : undefined}
                      >
                        <Avatar name={name} />
                        <span class="pick__text">
                          <strong>{name}</strong>
                          <small>{email}</small>
                        </span>
                        {blocked && <Badge tone="bad">{texts.customers.blocked}</Badge>}
                      </a>
                    </li>
                  ))}
                </ul>
              )
            }
          </Show>
        </>
      }
    >
      {customerId === null ? (
        <Empty text={texts.customers.empty} />
      ) : (
        <OpenCustomer customerId={customerId} />
      )}
    </MasterDetail>
  );
}

function OpenCustomer({ customerId }: { readonly customerId: string }) {
  const { api } = useDesk();
  const shown = useStore(language);
  const loaded = useData(
    `customer:${shown}:${customerId}`,
    () => api.customer(customerId, shown),
    onEverything,
  );
  return <Show loaded={loaded}>{(record) => <Record record={record} />}</Show>;
}

function Record({ record }: { readonly record: CustomerRecord }) {
  const texts = useTexts();
  const issueLabel = useIssueLabel();
  const { customer, tickets } = record;
  return (
    <article class="detail">
      <header class="detail__head">
        <a
          class="button button--quiet button--icon detail__back"
          href={linkTo('customers')}
          aria-label={texts.app.back}
        >
          <Icon name="back" />
        </a>
        <Avatar name={customer.name} />
        <div>
          <h2>{customer.name}</h2>
          <p class="soft">
            <span title={customer.customer_id}>{customer.email}</span>
            {customer.created_at && (
              <>
                {' '}
                · {texts.customers.since} <Time at={customer.created_at} />
              </>
            )}
          </p>
        </div>
        {customer.blocked && <Badge tone="bad">{texts.customers.blocked}</Badge>}
      </header>
      <div class="detail__grid">
        {record.sections.map((section) => (
          <section key={section.id} class="card">
            <h3>{section.label}</h3>
            <Records section={section} />
          </section>
        ))}
        <section class="card">
          <h3>{texts.panel.memory}</h3>
          <Memory record={record} />
        </section>
        <section class="card">
          <h3>{texts.customers.tickets}</h3>
          {tickets.length === 0 ? (
            <p class="soft">{texts.customers.noTickets}</p>
          ) : (
            <ul class="ledger">
              {tickets.map((ticket) => (
                <li key={ticket.ticket_id}>
                  <div class="ledger__what">
                    <a href={linkTo('tickets', ticket.ticket_id)}>
                      {fill(texts.ticket.number, { number: ticket.number })}
                      {ticket.issue_type !== null && ` · ${issueLabel(ticket.issue_type)}`}
                    </a>
                    {ticket.summary && <small>{ticket.summary}</small>}
                    <small>
                      {term(texts.channel, ticket.channel)} · <Time at={ticket.created_at} />
                    </small>
                  </div>
                  <Badge>{term(texts.status, ticket.status)}</Badge>
                </li>
              ))}
            </ul>
          )}
        </section>
      </div>
    </article>
  );
}
