import type { CompanyFiles } from '../../shared/api-types.js';
import { useDesk } from '../lib/desk-context.js';
import { onEverything, useData } from '../lib/use-data.js';
import { BACK, Changes, FILE, linkToFile, useFileTitle } from '../parts/company-changes.js';
import { Fold } from '../parts/marks.js';
import { Empty, MasterDetail, Notice, Show } from '../parts/states.js';
import { useTexts } from '../texts.js';
import { CompanyChangeView } from './company-change.js';
import { CompanyFileEditor } from './company-file.js';

/** The company's files: one operator proposes a change, another approves it. */
export function CompanyPage({ id }: { readonly id: string | null }) {
  const texts = useTexts();
  const { api } = useDesk();
  const list = useData('company', () => api.companyFiles(), onEverything);
  const { company } = texts;
  return (
    <MasterDetail
      title={company.title}
      open={id !== null}
      list={
        <>
          <div class="split__top">
            <h2>{company.title}</h2>
            <p class="soft">{company.lead}</p>
          </div>
          <Show loaded={list}>{(files) => <Files files={files} selected={id} />}</Show>
        </>
      }
    >
      {id === null || list.data === null ? (
        <Empty text={company.choose} />
      ) : id.startsWith(FILE) || id.startsWith(BACK) ? (
        <OpenFile key={id} id={id} files={list.data} onProposed={list.reload} />
      ) : (
        <CompanyChangeView key={id} id={id} files={list.data} onChanged={list.reload} />
      )}
    </MasterDetail>
  );
}

function Files({ files, selected }: { readonly files: CompanyFiles; readonly selected: string | null }) {
  const texts = useTexts();
  const titleOf = useFileTitle();
  const { company } = texts;
  const [open, decided] = [
    files.changes.filter(({ status }) => status === 'open'),
    files.changes.filter(({ status }) => status !== 'open'),
  ];
  return (
    <div class="company__list">
      {files.locked !== null && <Notice tone="sun">{company.locked[files.locked]}</Notice>}
      {files.outdated && <Notice tone="info">{files.reloads ? company.reloading : company.restart}</Notice>}
      {open.length > 0 && (
        <>
          <h3 class="company__head">{company.waiting}</h3>
          <Changes changes={open} selected={selected} />
        </>
      )}
      <h3 class="company__head">{company.all}</h3>
      <ul class="picks">
        {files.files.map((path) => (
          <li key={path}>
            <a
              class="pick"
              href={linkToFile(path)}
              aria-current={selected === `${FILE}${path}` ? 'true' : undefined}
            >
              <span class="pick__text">
                <strong>{titleOf(path)}</strong>
                <small>{path}</small>
              </span>
            </a>
          </li>
        ))}
      </ul>
      {decided.length > 0 && (
        <Fold title={company.decided}>
          <Changes changes={decided} selected={selected} />
        </Fold>
      )}
    </div>
  );
}

/** A file as it stands, or with the text that it had before a change. */
function OpenFile({
  id,
  files,
  onProposed,
}: {
  readonly id: string;
  readonly files: CompanyFiles;
  readonly onProposed: () => void;
}) {
  const { api } = useDesk();
  const loaded = useData(
    id,
    async () => {
      if (id.startsWith(FILE)) {
        const { path, text } = await api.companyFile(id.slice(FILE.length));
        return { path, text, wanted: text, back: null };
      }
      const change = await api.companyChange(id.slice(BACK.length));
      const { path, text } = await api.companyFile(change.path);
      return { path, text, wanted: change.before, back: change };
    },
    () => false,
  );
  return (
    <Show loaded={loaded}>
      {(file) => <CompanyFileEditor file={file} files={files} onProposed={onProposed} />}
    </Show>
  );
}
