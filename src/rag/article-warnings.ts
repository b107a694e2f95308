import type { Article } from '../core/domain/article.js';
import { unitsOf } from './units.js';

/** Something in an article that customers should not be sent before a person has looked at it. */
export interface ArticleWarning {
  readonly articleId: string;
  readonly kind: 'instruction' | 'link';
  /** The words in question. */
  readonly text: string;
}

/** Words that are said to a program and not to a customer. In the languages of the analyzer. */
const INSTRUCTION =
  /\b(?:ignore|disregard|forget|override)\b.{0,30}\b(?:instructions?|rules|prompts?|guidelines)\b|\b(?:system|developer) prompt\b|\byou are (?:now )?(?:an? )?(?:ai|assistant|chatbot|language model)\b|\b(?:do not|don't|never) (?:tell|show|reveal)\b.{0,30}\b(?:user|customer)s?\b|\b(?:reply|respond|answer) (?:only|always) with\b|\b(?:ignore|desconsidere|esqueça)\b.{0,30}\b(?:instruções|regras)\b|\bprompt do sistema\b|\bvocê (?:é|agora é) (?:um|uma) (?:ia|assistente|chatbot|robô)\b|\b(?:não|nunca) (?:conte|diga|mostre|revele)\b.{0,30}\b(?:usuário|cliente)s?\b|\bresponda (?:apenas|somente|só|sempre) com\b/iu;
const LINK = /\b(?:https?:\/\/|www\.)([^\s/()<>"'\]]+)[^\s()<>"'\]]*/giu;
const HOST = /\b((?:[a-z0-9-]+\.)+(?:com|org|net|io|app|br|example|es|eu|info|shop|store))\b/giu;

/**
 * What stands in articles that speaks to a program rather than to a customer, and links that lead to a host which is not the one
 * that most articles name. Answers quote articles word for word, so both would be sent.
 */
export function warningsAbout(articles: readonly Article[]): readonly ArticleWarning[] {
  const named = new Map<string, Set<string>>();
  for (const { articleId, content } of articles)
    for (const [, host = ''] of content.matchAll(HOST)) {
      const domain = domainOf(host);
      named.set(domain, (named.get(domain) ?? new Set()).add(articleId));
    }
  const [own] = [...named].sort((a, b) => b[1].size - a[1].size)[0] ?? [];
  return articles.flatMap(({ articleId, content }) => {
    const instructions = unitsOf(content).filter(({ text }) => INSTRUCTION.test(text));
    const links = [...content.matchAll(LINK)].filter(([, host = '']) => domainOf(host) !== own);
    return [
      ...instructions.map(({ text }) => ({ articleId, kind: 'instruction' as const, text })),
      ...links.map(([text]) => ({ articleId, kind: 'link' as const, text })),
    ];
  });
}

const SECOND_LEVEL = /^(?:com|org|net|gov|co|edu)$/u;

/** The part of a host that is somebody's: the last two labels, or three under a general one of a country. */
function domainOf(host: string): string {
  const labels = host
    .toLowerCase()
    .replace(/[.,;:!?]+$/u, '')
    .replace(/:\d+$/u, '')
    .split('.');
  const isCountry = labels.at(-1)?.length === 2 && SECOND_LEVEL.test(labels.at(-2) ?? '');
  return labels.slice(isCountry ? -3 : -2).join('.');
}
