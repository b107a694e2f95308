import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { SavedView, TicketCounts } from '../../shared/api-types.js';
import { newId } from '../../shared/clock.js';
import { COMPANY } from '../../shared/company.js';
import { Button, Icon, IconButton } from '../../shared/components/controls.js';
import { useIssueLabel, useTeamLabel } from '../../shared/labels.js';
import { fill } from '../../shared/message.js';
import { useStore } from '../../shared/store.js';
import { useCommand } from '../lib/commands.js';
import { useDesk } from '../lib/desk-context.js';
import { onEverything, useAction, useData } from '../lib/use-data.js';
import { Failure, SearchBox } from '../parts/states.js';
import { useTexts } from '../texts.js';
import { ExportList, Select, SetFilters } from './queue-facets.js';
import {
  choiceIn,
  handOverViews,
  listKey,
  lookFor,
  MORE_VIEWS,
  type QueueListName,
  queueChoice,
  SORTS,
  showList,
  showView,
  TABS,
  viewOf,
} from './queue-state.js';

/** Typing is over after so many milliseconds. */
const SETTLE_MS = 250;

/** The lists with how much is in each: those of the day as tabs, the others below. */
export function QueueTabs({ counts }: { readonly counts: TicketCounts | null }) {
  const texts = useTexts();
  const { view } = useStore(queueChoice);
  return (
    <nav class="lists" aria-label={texts.queue.title}>
      <div class="tabs">
        {TABS.map((name, at) => (
          <QueueTab
            key={name}
            name={name}
            digit={listKey(at)}
            current={name === view}
            count={counts?.[name]}
          />
        ))}
      </div>
      <div class="pills">
        {MORE_VIEWS.map((name, at) => (
          <QueueTab
            key={name}
            name={name}
            digit={listKey(TABS.length + at)}
            current={name === view}
            count={name === 'all' ? undefined : counts?.[name]}
            quiet={name === 'mentioned' && name !== view && !counts?.mentioned}
          />
        ))}
      </div>
    </nav>
  );
}

function QueueTab({
  name,
  digit,
  current,
  count,
  quiet = false,
}: {
  readonly name: QueueListName;
  readonly digit: string;
  readonly current: boolean;
  readonly count: number | undefined;
  /** Takes no room while there is nothing in it. */
  readonly quiet?: boolean;
}) {
  const texts = useTexts();
  const choose = (): void => showList(name);
  useCommand(digit, choose);
  return (
    <button
      type="button"
      class="tabs__tab"
      aria-current={current ? 'true' : undefined}
      title={texts.queue.tabHints[name]}
      hidden={quiet}
      onClick={choose}
    >
      {texts.queue.tabs[name]}
      {count !== undefined && <span class="tabs__count">{count}</span>}
    </button>
  );
}

/** Search and what narrows the list. */
export function QueueFilters({ open, onToggle }: { readonly open: boolean; readonly onToggle: () => void }) {
  const texts = useTexts();
  const issueLabel = useIssueLabel();
  const teamLabel = useTeamLabel();
  const choice = useStore(queueChoice);
  const panel = useId();
  return (
    <div class="filters">
      <div class="filters__row">
        <SearchField />
        <button
          type="button"
          class="button button--outline button--icon"
          aria-expanded={open}
          aria-controls={panel}
          aria-label={texts.queue.filters}
          title={texts.queue.filters}
          onClick={onToggle}
        >
          <Icon name="settings" />
        </button>
      </div>
      <div class="filters__panel" id={panel} hidden={!open}>
        <Select
          label={texts.queue.priorityLabel}
          all={texts.queue.allPriorities}
          options={texts.priority}
          value={choice.priority}
          onChoose={(priority) => queueChoice.update((old) => ({ ...old, priority }))}
        />
        <Select
          label={texts.queue.issueLabel}
          all={texts.queue.allIssues}
          options={Object.fromEntries(Object.keys(COMPANY.issue_types).map((id) => [id, issueLabel(id)]))}
          value={choice.issueType}
          onChoose={(issueType) => queueChoice.update((old) => ({ ...old, issueType }))}
        />
        {Object.keys(COMPANY.teams).length > 0 && (
          <Select
            label={texts.team.label}
            all={texts.team.all}
            options={Object.fromEntries(Object.keys(COMPANY.teams).map((id) => [id, teamLabel(id)]))}
            value={choice.team}
            onChoose={(team) => queueChoice.update((old) => ({ ...old, team }))}
          />
        )}
        <Select
          label={texts.queue.sortLabel}
          all={texts.queue.usualOrder}
          options={Object.fromEntries(SORTS.map((sort) => [sort, texts.queue.sorts[sort]]))}
          value={choice.sort}
          onChoose={(sort) => queueChoice.update((old) => ({ ...old, sort }))}
        />
        <input
          class="input"
          type="text"
          aria-label={texts.queue.tagLabel}
          placeholder={texts.queue.tagLabel}
          maxLength={40}
          value={choice.tag}
          onChange={(event) => {
            const tag = event.currentTarget.value.trim();
            queueChoice.update((old) => ({ ...old, tag }));
          }}
        />
        <ExportList />
        <SaveView />
      </div>
      <SavedViews />
      <SetFilters />
    </div>
  );
}

/** The operator's own views. What an earlier desk kept in this browser becomes theirs. */
function useViews() {
  const { api } = useDesk();
  return useData(
    'views',
    async () => {
      const { views } = await api.views();
      const isMore = await handOverViews(views, (view) => api.saveView(view, newId()));
      return isMore ? (await api.views()).views : views;
    },
    onEverything,
  );
}

/** Names what the queue shows now, so that it can be asked for again, in any browser. */
function SaveView() {
  const texts = useTexts();
  const { api } = useDesk();
  const { reload } = useViews();
  const [name, setName] = useState('');
  const save = useAction((view: SavedView, key) => api.saveView(view, key));
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (name.trim() === '' || !(await save.run(viewOf(name.trim())))) return;
    setName('');
    reload();
  };
  return (
    <form class="filters__row" onSubmit={submit}>
      <input
        class="input"
        type="text"
        aria-label={texts.queue.viewName}
        placeholder={texts.queue.viewName}
        maxLength={40}
        value={name}
        onInput={(event) => setName(event.currentTarget.value)}
      />
      <Button kind="outline" type="submit" busy={save.busy} disabled={name.trim() === ''}>
        {texts.queue.saveView}
      </Button>
      <Failure error={save.error} />
    </form>
  );
}

/** The operator's own views, one press away. */
function SavedViews() {
  const texts = useTexts();
  const { api } = useDesk();
  const { data, error, reload } = useViews();
  const shown = JSON.stringify(useStore(queueChoice));
  const forget = useAction(
    (name: string, key) => api.forgetView(name, key),
    () => reload(),
  );
  if (!data?.length) return <Failure error={error} />;
  return (
    <ul class="pills" aria-label={texts.queue.savedViews}>
      {data.map((view) => (
        <li key={view.name} class="pills__own">
          <button
            type="button"
            class="tabs__tab"
            aria-pressed={JSON.stringify(choiceIn(view)) === shown}
            onClick={() => showView(view)}
          >
            {view.name}
          </button>
          <IconButton
            icon="close"
            label={fill(texts.queue.forgetView, { name: view.name })}
            onClick={() => void forget.run(view.name)}
          />
        </li>
      ))}
    </ul>
  );
}

function SearchField() {
  const texts = useTexts();
  const { q } = useStore(queueChoice);
  const [text, setText] = useState(q);
  /** What the list was last asked for from here: what it is asked for elsewhere comes into the field, and nothing else does. */
  const asked = useRef(q);
  useLayoutEffect(() => {
    if (q !== asked.current) setText(q);
    asked.current = q;
  }, [q]);
  useEffect(() => {
    const timer = setTimeout(() => {
      asked.current = text.trim();
      lookFor(asked.current);
    }, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <SearchBox label={texts.queue.search} value={text} onInput={setText}>
      {text !== '' && <IconButton icon="close" label={texts.queue.clearSearch} onClick={() => setText('')} />}
    </SearchBox>
  );
}
