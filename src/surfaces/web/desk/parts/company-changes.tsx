import type { ComponentChildren } from 'preact';
import type { CompanyChangeEntry } from '../../shared/api-types.js';
import { COMPANY } from '../../shared/company.js';
import { Badge, Icon } from '../../shared/components/controls.js';
import { language } from '../../shared/i18n.js';
import { useEntityLabel, useSkillLabel, useToolLabel } from '../../shared/labels.js';
import type { ApiError } from '../../shared/problem.js';
import { useStore } from '../../shared/store.js';
import { linkTo } from '../lib/location.js';
import { term } from '../lib/values.js';
import { useTexts } from '../texts.js';
import { Failure, Notice } from './states.js';
import { Time } from './time.js';

/** What the address of a file begins with; of the text before a change, `back:` and its id; of a change its id alone. */
export const FILE = 'file:';
export const BACK = 'back:';

/** Where a file is written. */
export function linkToFile(path: string): string {
  return linkTo('company', `${FILE}${path}`);
}

/** Where the text before a change is proposed again. */
export function linkBack(changeId: string): string {
  return linkTo('company', `${BACK}${changeId}`);
}

/**
 * What a file is about, in words of the reader's language: `Texts (English): account`. What a company calls a file is a word of its
 * author's, so that elsewhere the room alone says it, and the path below which one it is.
 */
export function useFileTitle(): (path: string) => string {
  const { company, agent, language: languages } = useTexts();
  const entityLabel = useEntityLabel();
  const toolLabel = useToolLabel();
  const skillLabel = useSkillLabel();
  const shown = useStore(language);
  return (path) => {
    const [room = '', ...rest] = path.replace(/\.\w+$/, '').split('/');
    const about = term(company.files, room);
    const [first = ''] = rest;
    const last = rest.at(-1) ?? '';
    if (rest.length === 0 || room === 'intents') return about;
    if (room === 'entities') return `${about}: ${entityLabel(last)}`;
    if (room === 'actions' || Object.hasOwn(COMPANY.tools, last)) return `${about}: ${toolLabel(last)}`;
    if (room === 'prompts' && Object.hasOwn(agent, last)) return `${about}: ${term(agent, last)}`;
    const folders = rest.slice(0, -1).map((folder) => (room === 'texts' ? term(languages, folder) : folder));
    const place = room === 'skills' ? skillLabel(first) : folders.join(' ');
    const placed = `${about}${place === '' ? '' : ` (${place})`}`;
    return shown === 'en' ? `${placed}: ${last.replaceAll('_', ' ')}` : placed;
  };
}

/** The head of what is shown of a file: the way back, what the file is about, and a line below that. */
export function FileHead({
  path,
  children,
}: {
  readonly path: string;
  readonly children: ComponentChildren;
}) {
  const texts = useTexts();
  const titleOf = useFileTitle();
  return (
    <header class="detail__head">
      <a
        class="button button--quiet button--icon detail__back"
        href={linkTo('company')}
        aria-label={texts.app.back}
      >
        <Icon name="back" />
      </a>
      <div class="detail__title">
        <h2>{titleOf(path)}</h2>
        <p class="soft">{children}</p>
      </div>
    </header>
  );
}

const TONES = { open: 'sun', approved: 'good', declined: 'bad', withdrawn: 'info' } as const;

/** How far a change has come. */
export function ChangeBadge({ status }: Pick<CompanyChangeEntry, 'status'>) {
  const { company } = useTexts();
  return <Badge tone={TONES[status]}>{company.status[status]}</Badge>;
}

/** Changes to choose from. */
export function Changes({
  changes,
  selected,
}: {
  readonly changes: readonly CompanyChangeEntry[];
  readonly selected: string | null;
}) {
  const titleOf = useFileTitle();
  return (
    <ul class="picks">
      {changes.map((change) => (
        <li key={change.change_id}>
          <a
            class="pick"
            href={linkTo('company', change.change_id)}
            aria-current={selected === change.change_id ? 'true' : undefined}
          >
            <span class="pick__text">
              <strong>{titleOf(change.path)}</strong>
              {change.note !== '' && <span>{change.note}</span>}
              <small>
                {change.path} · {change.author} · <Time at={change.created_at} />
              </small>
            </span>
            <ChangeBadge status={change.status} />
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Why something could not be done; what has changed meanwhile is said of files here, not of tickets. */
export function Refusal({ action: { error } }: { readonly action: { readonly error: ApiError | null } }) {
  const { company } = useTexts();
  return error?.code === 'wrong_status' ? (
    <Notice tone="bad">{company.late}</Notice>
  ) : (
    <Failure error={error} />
  );
}
