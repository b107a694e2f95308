import { useEffect, useState } from 'preact/hooks';
import type { CompanyChange, CompanyFiles } from '../../shared/api-types.js';
import { Button } from '../../shared/components/controls.js';
import { Dialog } from '../../shared/components/dialog.js';
import { language } from '../../shared/i18n.js';
import { fill } from '../../shared/message.js';
import { useStore } from '../../shared/store.js';
import { useDesk } from '../lib/desk-context.js';
import { type Action, onEverything, useAction, useData } from '../lib/use-data.js';
import { percent } from '../lib/values.js';
import { ChangeBadge, FileHead, linkBack, linkToFile, Refusal } from '../parts/company-changes.js';
import { Differences } from '../parts/differences.js';
import { FormButtons, Notice, Show } from '../parts/states.js';
import { dateTime } from '../parts/time.js';
import { useTexts } from '../texts.js';

const POLL_MS = 1_500;

type Trial = 'check' | 'evaluation';

/** A change: what differs, what its trials came to, and the decision. */
export function CompanyChangeView({
  id,
  files,
  onChanged,
}: {
  readonly id: string;
  readonly files: CompanyFiles;
  readonly onChanged: () => void;
}) {
  const { api, live } = useDesk();
  const loaded = useData(`change:${id}`, () => api.companyChange(id), onEverything);
  const { reload, readAt, error } = loaded;
  const running = loaded.data?.running != null;
  useEffect(() => {
    if (!running) return;
    // Asked again when the answer is there: where each takes longer than that, none would count.
    const timer = setTimeout(reload, POLL_MS);
    return () => clearTimeout(timer);
  }, [running, readAt, error, reload]);
  const changed = (): void => {
    reload();
    onChanged();
    // The bar counts what waits.
    live.publish({ kind: 'everything', ticketId: null });
  };
  return (
    <Show loaded={loaded}>
      {(change) => <ChangeDetail change={change} files={files} onChanged={changed} />}
    </Show>
  );
}

function ChangeDetail({
  change,
  files,
  onChanged,
}: {
  readonly change: CompanyChange;
  readonly files: CompanyFiles;
  readonly onChanged: () => void;
}) {
  const texts = useTexts();
  const { company } = texts;
  const { api } = useDesk();
  const shown = useStore(language);
  const {
    change_id: id,
    path,
    note,
    author,
    created_at: at,
    decider,
    decided_at: decidedAt,
    status,
  } = change;
  const tryOut = useAction((what: Trial, key) => api.tryChange(id, what, key), onChanged);
  const isOpen = status === 'open' && files.locked === null;
  return (
    <article class="detail">
      <FileHead path={path}>
        <ChangeBadge status={status} /> <a href={linkToFile(path)}>{path}</a>
      </FileHead>
      <p>
        {fill(company.proposed, { name: author, when: dateTime(at, shown) })}
        {note !== '' && ` ${fill(company.because, { note })}`}
        {decider !== null &&
          status !== 'open' &&
          ` ${fill(company.deciding[status], { name: decider, when: dateTime(decidedAt ?? at, shown) })}`}
      </p>
      <section class="card">
        <h3>{company.differences}</h3>
        <Differences before={change.before} after={change.after} label={company.differences} around={3} />
      </section>
      <Check change={change} again={isOpen ? tryOut : null} />
      <Evaluation change={change} begin={isOpen ? tryOut : null} />
      <Refusal action={tryOut} />
      {isOpen && <Decision change={change} reloads={files.reloads} onChanged={onChanged} />}
      {status === 'approved' && (
        <p class="detail__buttons">
          <a class="button button--outline" href={linkBack(id)}>
            {company.back}
          </a>
        </p>
      )}
    </article>
  );
}

/** What is being done with the change, in words: it takes a while. */
function Running({ text }: { readonly text: string }) {
  return (
    <p role="status">
      <span class="spinner" /> {text}
    </p>
  );
}

function Check({ change, again }: { readonly change: CompanyChange; readonly again: Action<Trial> | null }) {
  const { company } = useTexts();
  const { check, running, hindrance } = change;
  const faults = check?.findings.filter(({ severity }) => severity === 'fault').length ?? 0;
  const count = check?.findings.length ?? 0;
  const stale = hindrance === 'others_changed' || hindrance === 'not_checked';
  return (
    <section class="card company__trial" aria-live="polite">
      <h3>{company.check}</h3>
      {running === 'check' ? (
        <Running text={company.checking} />
      ) : check === null ? (
        <p class="soft">{company.unchecked}</p>
      ) : check.failed !== null ? (
        <Notice tone="bad">{fill(company.checkFailed, { why: check.failed })}</Notice>
      ) : (
        <Notice tone={faults > 0 ? 'bad' : count > 0 ? 'sun' : 'good'}>
          {fill(company.found, { faults, warnings: count - faults })}
        </Notice>
      )}
      {running !== 'check' && count > 0 && (
        <ul class="company__findings">
          {check?.findings.map(({ severity, file, line, problem, remedy }) => (
            <li key={`${file} ${line} ${problem}`}>
              <strong>
                {company.severity[severity]}: {file}
                {line !== null && ` ${fill(company.line, { line })}`}
              </strong>
              <br />
              <span lang="en">
                {problem} {remedy}
              </span>
            </li>
          ))}
        </ul>
      )}
      {again !== null && stale && running === null && (
        <Button kind="outline" icon="refresh" busy={again.busy} onClick={() => void again.run('check')}>
          {company.checkAgain}
        </Button>
      )}
    </section>
  );
}

function Evaluation({
  change,
  begin,
}: {
  readonly change: CompanyChange;
  readonly begin: Action<Trial> | null;
}) {
  const { company } = useTexts();
  const shown = useStore(language);
  const { evaluation, running } = change;
  const share = (value: number | null): string => (value === null ? '–' : percent(value, shown));
  return (
    <section class="card company__trial" aria-live="polite">
      <h3>{company.evaluation}</h3>
      <p class="soft">{company.evaluationHint}</p>
      {running === 'evaluation' ? (
        <Running text={company.evaluating} />
      ) : evaluation?.failed != null ? (
        <Notice tone="bad">{fill(company.evaluationFailed, { why: evaluation.failed })}</Notice>
      ) : (
        evaluation !== null && (
          <>
            <Notice tone={evaluation.worse.length > 0 ? 'sun' : 'good'}>
              {evaluation.figures.every(({ standing }) => standing === null)
                ? company.uncompared
                : fill(company.compared, {
                    worse: evaluation.worse.length,
                    better: evaluation.better.length,
                  })}
            </Notice>
            <div class="company__figures" role="region" aria-label={company.evaluation} tabIndex={0}>
              <table>
                <thead>
                  <tr>
                    {company.columns.map((name) => (
                      <th key={name} scope="col">
                        {name}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {evaluation.figures.map(({ group, scenarios, passed, standing }) => (
                    <tr key={group}>
                      <th scope="row">
                        {group === 'all' ? company.everything : group.replaceAll(/[-_]/g, ' ')}
                      </th>
                      <td>{scenarios}</td>
                      <td>{share(standing)}</td>
                      <td>{share(passed)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          </>
        )
      )}
      {begin !== null && running === null && (
        <Button kind="outline" busy={begin.busy} onClick={() => void begin.run('evaluation')}>
          {evaluation === null ? company.evaluate : company.evaluateAgain}
        </Button>
      )}
    </section>
  );
}

function Decision({
  change,
  reloads,
  onChanged,
}: {
  readonly change: CompanyChange;
  readonly reloads: boolean;
  readonly onChanged: () => void;
}) {
  const texts = useTexts();
  const { company } = texts;
  const { api, me } = useDesk();
  const [ask, setAsk] = useState<'approve' | 'decline' | null>(null);
  const { change_id: id, author_id: authorId, hindrance } = change;
  const own = authorId === me.id;
  const decide = useAction(
    (decision: 'approve' | 'decline', key) => api.decideChange(id, decision, key),
    onChanged,
  );
  const no = own ? company.withdraw : company.decline;
  const submit = (event: Event): void => {
    event.preventDefault();
    if (ask !== null) void decide.run(ask).then(() => setAsk(null));
  };
  const asked = ask === 'approve' ? (reloads ? company.askReload : company.askRestart) : company.askDecline;
  return (
    <section>
      <p class="soft">
        {own ? company.own : hindrance === null ? company.ready : company.hindrance[hindrance]}
      </p>
      <Refusal action={decide} />
      <div class="detail__buttons">
        <Button kind="quiet" disabled={decide.busy} onClick={() => setAsk('decline')}>
          {no}
        </Button>
        {!own && (
          <Button
            kind="primary"
            disabled={hindrance !== null || decide.busy}
            onClick={() => setAsk('approve')}
          >
            {company.approve}
          </Button>
        )}
      </div>
      {ask !== null && (
        <Dialog
          title={ask === 'approve' ? company.approve : no}
          closeLabel={texts.app.close}
          onClose={() => setAsk(null)}
        >
          <form class="form" onSubmit={submit}>
            <p>{asked}</p>
            <FormButtons
              confirm={ask === 'approve' ? company.approve : no}
              busy={decide.busy}
              danger={ask === 'decline'}
              onClose={() => setAsk(null)}
            />
          </form>
        </Dialog>
      )}
    </section>
  );
}
