import { COMPANY } from '../../shared/company.js';
import { language } from '../../shared/i18n.js';
import { useArgumentLabel } from '../../shared/labels.js';
import { useStore } from '../../shared/store.js';
import { argument } from '../lib/values.js';
import { useWords } from '../texts.js';

/** The exact arguments of a call: what each is called, and its value. */
export function ArgumentList({ args }: { readonly args: Readonly<Record<string, unknown>> }) {
  const words = useWords();
  const shown = useStore(language);
  const label = useArgumentLabel();
  const entries = Object.entries(args);
  if (entries.length === 0) return <p class="args args--none">{words.panel.noArgs}</p>;
  return (
    <dl class="args">
      {entries.map(([name, value]) => (
        <div key={name} class="args__pair">
          <dt title={name}>{label(name)}</dt>
          <dd>
            <code>{argument(name, value, shown, COMPANY.currency)}</code>
          </dd>
        </div>
      ))}
    </dl>
  );
}
