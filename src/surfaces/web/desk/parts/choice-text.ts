import { language } from '../../shared/i18n.js';
import { useArgumentLabel } from '../../shared/labels.js';
import { useStore } from '../../shared/store.js';
import { isMoney } from '../lib/edit-args.js';
import { isInternalId, isTerm } from '../lib/format.js';
import { term } from '../lib/values.js';
import { useTexts } from '../texts.js';
import { numberText } from './arguments.js';

/** What was chosen, how much and when, as words of a sentence. Records are left out: their titles are not at hand everywhere. */
export function useChoiceText(): (args: Readonly<Record<string, unknown>> | null) => string {
  const texts = useTexts();
  const label = useArgumentLabel();
  const shown = useStore(language);
  return (args) =>
    Object.entries(args ?? {})
      .flatMap(([name, value]) => {
        if (typeof value === 'number')
          return isMoney(name)
            ? numberText(name, value, shown)
            : `${label(name)}: ${numberText(name, value, shown)}`;
        if (typeof value !== 'string' || value === '' || isInternalId(value)) return [];
        return isTerm(value) ? term({ ...texts.act.values, ...texts.status }, value) : value;
      })
      .join(', ');
}
