import type { ArticleInput, ArticleVersions, DeskArticle } from '../../shared/api-types.js';
import { COMPANY } from '../../shared/company.js';
import { Field } from '../../shared/components/controls.js';
import { language } from '../../shared/i18n.js';
import { term } from '../lib/values.js';
import { useTexts } from '../texts.js';

/** What is in the form; tags as they are typed. */
export interface ArticleTexts {
  readonly title: string;
  readonly content: string;
  readonly tags: string;
  readonly language: DeskArticle['language'];
}

/** A new article is written in the operator's language, where the company speaks it. */
function articleLanguage(): string {
  const own = language.get();
  return COMPANY.languages.includes(own) ? own : (COMPANY.languages[0] ?? own);
}

/** The newest text of an article, as the form shows it. */
export function textsOf({ draft, published }: ArticleVersions): ArticleTexts {
  const text = draft ?? published;
  return text === null
    ? { title: '', content: '', tags: '', language: articleLanguage() }
    : {
        title: text.title,
        content: text.content,
        tags: text.tags.join(', '),
        language: text.language,
      };
}

/** What the server is sent. */
export function toArticle({ title, content, tags, language }: ArticleTexts): ArticleInput {
  const list = tags
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean);
  return { title: title.trim(), content: content.trim(), tags: [...new Set(list)], language };
}

/** The fields of an article. `tried` shows what is missing. */
export function ArticleFields({
  fields,
  tried,
  onChange,
}: {
  readonly fields: ArticleTexts;
  readonly tried: boolean;
  readonly onChange: (change: Partial<ArticleTexts>) => void;
}) {
  const texts = useTexts();
  const { knowledge } = texts;
  return (
    <>
      <Field
        label={knowledge.articleTitle}
        error={tried && fields.title.trim() === '' ? knowledge.needTitle : null}
      >
        {(control) => (
          <input
            {...control}
            class="input"
            maxLength={200}
            value={fields.title}
            onInput={({ currentTarget: { value } }) => onChange({ title: value })}
          />
        )}
      </Field>
      <Field
        label={knowledge.content}
        hint={knowledge.contentHint}
        error={tried && fields.content.trim() === '' ? knowledge.needContent : null}
      >
        {(control) => (
          <textarea
            {...control}
            class="input article__content"
            rows={14}
            maxLength={20_000}
            value={fields.content}
            onInput={({ currentTarget: { value } }) => onChange({ content: value })}
          />
        )}
      </Field>
      <div class="article__row">
        <Field label={knowledge.tags} hint={knowledge.tagsHint}>
          {(control) => (
            <input
              {...control}
              class="input"
              maxLength={400}
              value={fields.tags}
              onInput={({ currentTarget: { value } }) => onChange({ tags: value })}
            />
          )}
        </Field>
        <Field label={knowledge.lang}>
          {(control) => (
            <select
              {...control}
              class="input"
              value={fields.language}
              onChange={({ currentTarget }) =>
                onChange({ language: currentTarget.value as DeskArticle['language'] })
              }
            >
              {COMPANY.languages.map((tag) => (
                <option key={tag} value={tag}>
                  {term(texts.language, tag)}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
    </>
  );
}
