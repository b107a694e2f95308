import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import { COMPANY } from '../shared/company.js';
import { AppearanceMenu, Menu } from '../shared/components/appearance.js';
import { Button } from '../shared/components/button.js';
import { Logo } from '../shared/components/icon.js';
import { useTexts } from '../shared/i18n.js';
import { type Group, groupsOf, type OpenApi } from './openapi.js';
import { OperationView } from './operation-view.js';
import { TEXTS } from './texts.js';
import { Words } from './words.js';

/** The reference of the HTTP API, made from its own OpenAPI document. */
export function DocsApp() {
  const texts = useTexts(TEXTS);
  const [document, setDocument] = useState<OpenApi | 'failed' | null>(null);
  const load = useCallback(async () => {
    setDocument(null);
    try {
      const response = await fetch('/openapi.json', { credentials: 'omit' });
      if (!response.ok) throw new Error(String(response.status));
      setDocument((await response.json()) as OpenApi);
    } catch {
      setDocument('failed');
    }
  }, []);
  useEffect(() => void load(), [load]);
  return (
    <div class="docs">
      <a class="skip-link" href="#operations">
        {texts.skip}
      </a>
      <header class="docs__header">
        <Logo />
        <p class="docs__brand">
          {COMPANY} <span>{texts.title}</span>
        </p>
        <AppearanceMenu>
          <a class="button button--outline button--wide" href="/openapi.json">
            {texts.raw}
          </a>
        </AppearanceMenu>
      </header>
      {document === null && (
        <main class="docs__note">
          <p role="status">
            <span class="spinner" /> {texts.loading}
          </p>
        </main>
      )}
      {document === 'failed' && (
        <main class="docs__note">
          <p role="alert">{texts.failed}</p>
          <Button kind="primary" icon="refresh" onClick={() => void load()}>
            {texts.tryAgain}
          </Button>
        </main>
      )}
      {document !== null && document !== 'failed' && <Reference document={document} />}
    </div>
  );
}

function Reference({ document }: { readonly document: OpenApi }) {
  const texts = useTexts(TEXTS);
  const [search, setSearch] = useState('');
  const all = useMemo(() => groupsOf(document), [document]);
  const groups = useMemo(() => filter(all, search), [all, search]);
  // The address may name an operation, which only exists from now on.
  useEffect(() => {
    if (location.hash.length > 1) window.document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }, []);
  const contents = <Contents groups={groups} />;
  return (
    <>
      <nav class="docs__nav" aria-label={texts.navigation}>
        <input
          class="input"
          type="search"
          aria-label={texts.search}
          placeholder={texts.search}
          value={search}
          onInput={({ currentTarget }) => setSearch(currentTarget.value)}
        />
        {contents}
      </nav>
      <main class="docs__main" id="operations" tabIndex={-1}>
        <h1>{document.info.title}</h1>
        {document.info.description && (
          <p class="docs__intro">
            <Words text={document.info.description} />
          </p>
        )}
        {groups.length === 0 && <p role="status">{texts.nothing}</p>}
        {groups.map(({ name, description, operations }) => (
          <section key={name} class="group" aria-label={name}>
            <h2 id={`tag-${name}`}>{name}</h2>
            {description && (
              <p class="docs__intro">
                <Words text={description} />
              </p>
            )}
            {operations.map((operation) => (
              <OperationView key={operation.id} document={document} operation={operation} />
            ))}
          </section>
        ))}
      </main>
      <nav class="docs__contents-button" aria-label={texts.contents}>
        <Menu label={texts.contents} icon="list">
          {contents}
        </Menu>
      </nav>
    </>
  );
}

function Contents({ groups }: { readonly groups: readonly Group[] }) {
  return (
    <ul class="contents">
      {groups.map(({ name, operations }) => (
        <li key={name}>
          <span class="contents__tag">{name}</span>
          <ul>
            {operations.map(({ id, method, path, summary }) => (
              <li key={id}>
                <a href={`#${id}`} class="contents__link">
                  <span class={`method method--${method}`}>{method.toUpperCase()}</span>
                  <span>{summary ?? path}</span>
                </a>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}

function filter(groups: readonly Group[], search: string): readonly Group[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return groups
    .map((group) => ({
      ...group,
      operations: group.operations.filter(({ method, path, summary = '', description = '' }) => {
        const text = `${group.name} ${method} ${path} ${summary} ${description}`.toLowerCase();
        return words.every((word) => text.includes(word));
      }),
    }))
    .filter(({ operations }) => operations.length > 0);
}
