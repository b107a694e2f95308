import type {
  ChangeCheck,
  ChangeEvaluation,
  CompanyChange,
  CompanyChangeStore,
  CompanyDesk,
  CompanyFolder,
  CompanyTrials,
  Hindrance,
  ShownChange,
} from '../core/company-changes.js';
import type { Operator } from '../core/domain/customer.js';
import { HubError, toHubError } from '../core/errors.js';
import type { AuditLog, Clock, Ids, Log } from '../core/ports/index.js';
import { cleanText } from '../core/text.js';

/** What it works with. */
interface CompanyDeskDeps {
  readonly folder: CompanyFolder;
  readonly trials: CompanyTrials;
  readonly store: CompanyChangeStore;
  readonly audit: AuditLog;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  /** True where anybody who reaches the hub may call themselves two operators. */
  readonly openToAnybody: boolean;
}

type What = 'check' | 'evaluation';

const LISTED = 100;
const NOTE_CHARS = 500;

/** See CompanyDesk. */
export function createCompanyDesk(deps: CompanyDeskDeps): CompanyDesk {
  const { folder, store } = deps;
  const readAt = folder.writtenAt();
  const listeners = new Set<() => void>();
  const trials = createRunningTrials(deps);
  const locked = () => (deps.openToAnybody ? 'others_may_sign_in' : folder.writable() ? null : 'read_only');
  const demandOpen = (): void => {
    if (locked() !== null)
      throw new HubError('forbidden', "The company's files cannot be changed from here.");
  };
  const known = async (changeId: string): Promise<CompanyChange> => {
    const found = await store.get(changeId);
    if (found === null) throw new HubError('not_found', 'There is no such change.', { changeId });
    return found;
  };
  const demandStatus = ({ status, changeId }: CompanyChange): void => {
    if (status !== 'open')
      throw new HubError('wrong_status', 'This change is decided already.', { changeId });
  };
  const shown = (change: CompanyChange): ShownChange => ({
    ...change,
    running: trials.of(change.changeId),
    hindrance: change.status === 'open' ? hindranceOf(change, folder) : null,
  });
  return {
    overview: async () => ({
      locked: locked(),
      reloads: listeners.size > 0,
      outdated: folder.writtenAt() > readAt,
      files: folder.list(),
      changes: await store.list(LISTED),
    }),
    async file(path) {
      return { path, text: readFile(folder, path) };
    },
    change: async (changeId) => shown(await known(changeId)),
    async propose({ operatorId: authorId, name: author }, { path, before, after: given, note: said }) {
      demandOpen();
      const standing = readFile(folder, path);
      if (standing !== before) throw changedMeanwhile(path);
      const after = likeBefore(standing, given);
      if (after === before || after.trim() === '')
        throw new HubError('input_invalid', 'The text must be there, and must differ from what stands.', {
          errors: [{ field: 'text', message: 'must be there, and differ from what stands' }],
        });
      const note = cleanText(said).slice(0, NOTE_CHARS);
      const change: CompanyChange = {
        ...{ changeId: deps.ids.next('chg'), path, before, after, note, authorId, author },
        ...{ createdAt: deps.clock.now().toISOString(), status: 'open', decider: null, decidedAt: null },
        ...{ check: null, evaluation: null },
      };
      await store.add(change);
      await keep(deps, change, authorId, 'propose_company_change');
      trials.begin(change, 'check');
      return shown(change);
    },
    async tryOut(changeId, what) {
      demandOpen();
      const change = await known(changeId);
      demandStatus(change);
      trials.begin(change, what);
      return shown(change);
    },
    async approve(changeId, operator) {
      demandOpen();
      const change = await known(changeId);
      demandStatus(change);
      demandApprovable(change, operator, folder);
      const decided = await store.decide(changeId, 'approved', operator, ({ path, before, after }) => {
        const standing = folder.read(path);
        // It may have been written already by this very decision, where that did not end.
        if (standing !== before && standing !== after) throw changedMeanwhile(path);
        folder.write(path, after);
      });
      await keep(deps, decided, operator.operatorId, 'approve_company_change');
      for (const listener of listeners) listener();
      return shown(decided);
    },
    async decline(changeId, operator) {
      const own = (await known(changeId)).authorId === operator.operatorId;
      const decided = await store.decide(changeId, own ? 'withdrawn' : 'declined', operator, () => undefined);
      const action = own ? 'withdraw_company_change' : 'decline_company_change';
      await keep(deps, decided, operator.operatorId, action);
      return shown(decided);
    },
    onWritten(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close: () => trials.close(),
  };
}

/** @throws HubError `not_found` */
function readFile(folder: CompanyFolder, path: string): string {
  const text = folder.read(path);
  if (text === null) throw new HubError('not_found', 'There is no such file of the company.', { path });
  return text;
}

function changedMeanwhile(path: string): HubError {
  const message = `${path} has changed meanwhile: look at it again, and propose the change anew.`;
  return new HubError('wrong_status', message, { path });
}

/** A form ends its lines in one way; the file keeps its own. */
function likeBefore(before: string, given: string): string {
  const text = given.replaceAll('\r\n', '\n');
  const whole = before.endsWith('\n') && !text.endsWith('\n') ? `${text}\n` : text;
  return before.includes('\r\n') ? whole.replaceAll('\n', '\r\n') : whole;
}

/** @throws HubError `forbidden` for the author, `wrong_status` where the check does not speak for it */
function demandApprovable(change: CompanyChange, { operatorId }: Operator, folder: CompanyFolder): void {
  const { changeId, authorId, path } = change;
  if (operatorId === authorId)
    throw new HubError('forbidden', 'A change is approved by another operator than its author.', {
      changeId,
    });
  const hindrance = hindranceOf(change, folder);
  if (hindrance === 'file_changed') throw changedMeanwhile(path);
  if (hindrance !== null) throw new HubError('wrong_status', WHY[hindrance], { changeId });
}

const WHY: Readonly<Record<Exclude<Hindrance, 'file_changed'>, string>> = {
  not_checked: 'The change has not been checked yet.',
  fault: 'The check found a fault: the hub would not start with this change.',
  others_changed: 'Other files of the company have changed since the check: check it again.',
};

function hindranceOf({ path, before, after, check }: CompanyChange, folder: CompanyFolder): Hindrance | null {
  const standing = folder.read(path);
  // Written by an approval that did not end.
  if (standing === after) return null;
  if (standing !== before) return 'file_changed';
  if (check === null || check.failed !== null) return 'not_checked';
  if (check.findings.some(({ severity }) => severity === 'fault')) return 'fault';
  return check.standing === folder.standing() ? null : 'others_changed';
}

async function keep(
  { audit, ids, clock }: CompanyDeskDeps,
  { changeId, path }: CompanyChange,
  operatorId: string,
  action: string,
): Promise<void> {
  await audit.append({
    ...{
      auditKey: ids.next('cmp'),
      ticketId: null,
      customerId: null,
      actor: `operator:${operatorId}`,
      action,
    },
    ...{
      outcome: 'done',
      details: { file: path, change_id: changeId },
      createdAt: clock.now().toISOString(),
    },
  });
}

/** Trials of this process, one after the other: each takes a processor for a while. */
function createRunningTrials({ folder, trials, store, clock, log }: CompanyDeskDeps) {
  const running = new Map<string, What>();
  let last = Promise.resolve();
  let closed = false;
  const check = async ({ changeId, path, after }: CompanyChange): Promise<void> => {
    const standing = folder.standing();
    const at = clock.now().toISOString();
    const found = await attempt(() => trials.check(path, after));
    const result: ChangeCheck = { at, standing, findings: found.value ?? [], failed: found.failed };
    if (!closed) await store.setCheck(changeId, result);
  };
  const evaluate = async ({ changeId, path, after }: CompanyChange): Promise<void> => {
    const at = clock.now().toISOString();
    const { value, failed } = await attempt(() => trials.evaluate(path, after));
    const none = { figures: [], worse: [], better: [] };
    const result: ChangeEvaluation = { at, ...(value ?? none), failed };
    if (!closed) await store.setEvaluation(changeId, result);
  };
  return {
    of: (changeId: string): What | null => running.get(changeId) ?? null,
    begin(change: CompanyChange, what: What): void {
      const { changeId } = change;
      if (running.has(changeId) || closed) return;
      running.set(changeId, what);
      last = last
        .then(() => (closed ? undefined : what === 'check' ? check(change) : evaluate(change)))
        .catch((error: unknown) =>
          log.error({ agent: 'desk', action: 'company_trial_failed', details: { changeId, what } }, error),
        )
        .finally(() => void running.delete(changeId));
    },
    async close(): Promise<void> {
      closed = true;
      trials.close();
      await last;
    },
  };
}

/** What came of it, or why nothing did. */
async function attempt<T>(
  work: () => Promise<T>,
): Promise<{ readonly value: T | null; readonly failed: string | null }> {
  try {
    return { value: await work(), failed: null };
  } catch (error) {
    return { value: null, failed: toHubError(error).message };
  }
}
