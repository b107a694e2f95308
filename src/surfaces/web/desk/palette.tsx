import { useEffect, useId, useState } from 'preact/hooks';
import { Dialog } from '../shared/components/dialog.js';
import { useIssueLabel } from '../shared/labels.js';
import { fill } from '../shared/message.js';
import { activeCommands } from './lib/commands.js';
import { useDesk } from './lib/desk-context.js';
import { go, PAGES } from './lib/location.js';
import { onNothing, useData } from './lib/use-data.js';
import { listKey, MORE_VIEWS, showList, TABS } from './queue/queue-state.js';
import { type Texts, useTexts } from './texts.js';

/** Every key and what it does. */
export function HelpDialog({ onClose }: { readonly onClose: () => void }) {
  const texts = useTexts();
  return (
    <Dialog title={texts.help.title} closeLabel={texts.app.close} onClose={onClose}>
      <dl class="keys">
        {texts.help.keys.map(([keys = '', text = '']) => (
          <div key={keys}>
            <dt>
              {keys.split(/ {2}/).map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <p class="soft">{texts.help.hint}</p>
    </Dialog>
  );
}

interface Entry {
  readonly label: string;
  readonly keys: string;
  run(): void;
}

const folded = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** What can be done from here: the commands of the page that is shown, the pages and the lists. */
function entriesOf(texts: Texts): readonly Entry[] {
  const named = new Map(
    texts.help.keys.flatMap(([keys = '', label = '']) => (/^\S$/.test(keys) ? [[keys, label] as const] : [])),
  );
  const here = [...activeCommands()].flatMap(([key, run]): Entry[] => {
    const label = named.get(key);
    return label === undefined || key === '?' ? [] : [{ label, keys: key, run }];
  });
  const pages = PAGES.map((page) => ({ label: texts.nav[page], keys: '', run: () => go(page) }));
  const lists = [...TABS, ...MORE_VIEWS].map((view, at) => ({
    label: `${texts.queue.title}: ${texts.queue.tabs[view]}`,
    keys: listKey(at),
    run: () => {
      go('tickets');
      showList(view);
    },
  }));
  return [...here, ...pages, ...lists];
}

/** Of fewer signs no tickets are looked for, and so long after the last one, in milliseconds. */
const [FEWEST, SETTLE_MS] = [3, 200];

/** The tickets that the words or the number may mean, to go to. */
function useTickets(text: string): readonly Entry[] {
  const texts = useTexts();
  const { api } = useDesk();
  const issueLabel = useIssueLabel();
  const [asked, setAsked] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text.trim()), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const { data } = useData(asked.length < FEWEST ? null : `find:${asked}`, () => api.find(asked), onNothing);
  if (text.trim() !== asked) return [];
  return (data ?? []).map(({ ticket_id: id, number, customer_name: name, classification }) => ({
    label: fill(texts.palette.goTo, {
      ticket: [
        number,
        name ?? texts.queue.unknownCustomer,
        ...(classification === null ? [] : [issueLabel(classification.issue_type)]),
      ].join(' · '),
    }),
    keys: '',
    run: () => go('tickets', id),
  }));
}

/** Everything that can be done from here, found by its words, and every ticket, by its number or by what stands in it. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const texts = useTexts();
  const [entries] = useState(() => entriesOf(texts));
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const list = useId();
  const wanted = folded(text).split(/\s+/);
  const tickets = useTickets(text);
  const found = [
    ...entries.filter(({ label }) => wanted.every((word) => folded(label).includes(word))),
    ...tickets,
  ];
  const current = found[Math.min(at, found.length - 1)];
  const run = (entry: Entry | undefined): void => {
    if (entry === undefined) return;
    onClose();
    // The window gives the focus back first; a command may put it elsewhere.
    requestAnimationFrame(() => entry.run());
  };
  const place = current === undefined ? 0 : found.indexOf(current);
  const move = (step: 1 | -1): void => setAt((found.length + place + step) % found.length);
  return (
    <Dialog title={texts.palette.title} closeLabel={texts.app.close} onClose={onClose}>
      <input
        class="input"
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-controls={list}
        aria-activedescendant={current ? `${list}-${place}` : undefined}
        aria-label={texts.palette.search}
        placeholder={texts.palette.search}
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') {
            event.preventDefault();
            run(current);
          } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && found.length > 0) {
            event.preventDefault();
            move(event.key === 'ArrowDown' ? 1 : -1);
          }
        }}
      />
      <div class="palette" id={list} role="listbox" aria-label={texts.palette.title}>
        {found.map((entry, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above takes the keys, as in every combobox.
          <div
            key={`${entry.label} ${entry.keys}`}
            id={`${list}-${index}`}
            class="palette__entry"
            role="option"
            aria-selected={entry === current}
            tabIndex={-1}
            onClick={() => run(entry)}
          >
            <span>{entry.label}</span>
            {entry.keys !== '' && <kbd>{entry.keys}</kbd>}
          </div>
        ))}
      </div>
      {found.length === 0 && <p role="status">{texts.palette.none}</p>}
    </Dialog>
  );
}
