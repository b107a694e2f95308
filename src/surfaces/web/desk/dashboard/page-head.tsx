import type { ComponentChildren } from 'preact';
import { Icon } from '../../shared/components/icon.js';
import { linkTo } from '../lib/location.js';
import { useWords } from '../texts.js';

/** The head of a page behind the dashboard, with the way back to it. */
export function PageHead({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ComponentChildren;
}) {
  const words = useWords();
  return (
    <header class="page__head">
      <p>
        <a class="button button--quiet" href={linkTo('dashboard')}>
          <Icon name="back" />
          {words.dashboard.title}
        </a>
      </p>
      <h1>{title}</h1>
      {children}
    </header>
  );
}
