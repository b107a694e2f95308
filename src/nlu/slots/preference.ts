import { fold, foldText, tokenize } from './text.js';

/** A wish that should hold from now on. */
interface PreferenceSlot {
  readonly key: 'language' | 'contact_method' | 'accessibility' | 'favourites';
  readonly value: string;
}

/** Languages that customers ask for by name: those that are spoken here, and those of which they are to be told that they are not. */
const ASKED_FOR = ['en', 'pt-BR', 'es', 'fr', 'de', 'it', 'nl', 'ja', 'zh', 'ru', 'ar'];
/** What each is called, folded; Brazilian Portuguese is "Portuguese" too. */
const LANGUAGES: ReadonlyMap<string, string> = new Map([
  ...ASKED_FOR.flatMap((tag) =>
    ['en', 'pt-BR', 'es'].flatMap((language) => {
      const names = new Intl.DisplayNames([language], { type: 'language' });
      return [tag, tag.slice(0, 2)].map((code) => [foldText(names.of(code) ?? code), tag] as const);
    }),
  ),
  ...['pt-br', 'ptbr'].map((name) => [name, 'pt-BR'] as const),
  ['castellano', 'es'],
]);
const LANGUAGE_NAMES = `(${[...LANGUAGES.keys()]
  .sort((a, b) => b.length - a.length)
  .join('|')
  .replace(/[()]/g, '.')})`;
const CHANNELS =
  '(whats ?app|whats|wpp|zap|zapzap|e-?mails?|mail|phone|telephone|telefone|fone|celular|phone calls?|ligacao|ligacoes|calls)';

const channelOf = (word: string): string =>
  /^(?:whats|wpp|zap)/.test(word) ? 'whatsapp' : /mail/.test(word) ? 'email' : 'phone';
const languageOf = (word: string): string => LANGUAGES.get(word) ?? 'en';

/** A verb of talking near a language: "is the tour in English?" is no wish about our answers. */
const SPEAK =
  '(?:answer|reply|respond|speak|talk|write|chat|communicate|message|switch|change|continue|use|prefer|contact|fal[aeo]\\w*|respond\\w*|escrev\\w*|atend\\w*|convers\\w*|continu\\w*|mud[ae]\\w*|troc[ae]\\w*|prefiro|us[ae]\\w*|mand[ae]\\w*)';
const LANGUAGE_WISHES: readonly RegExp[] = [
  new RegExp(`\\b${SPEAK}\\b[^.?!\\n]{0,30}?\\b${LANGUAGE_NAMES}\\b`),
  new RegExp(
    `^\\W*(?:(?:in|em|only|so) )?${LANGUAGE_NAMES}\\W*(?:please|pls|plz|por favor|pfv|pf|por gentileza)?\\W*$`,
  ),
  new RegExp(`\\b(?:please|por favor|pls)\\W{0,3}(?:in|em) ${LANGUAGE_NAMES}\\b`),
  new RegExp(`\\b(?:in|em) ${LANGUAGE_NAMES}\\W{0,3}(?:please|pls|por favor|pfv)\\b`),
];
const CONTACT_WISHES: readonly RegExp[] = [
  new RegExp(
    `\\b(?:contact|reach|notify|message|update|get in touch|keep in touch|inform|write|talk|speak|answer|reply|respond)\\b[^.?!\\n]{0,30}?\\b(?:by|via|through|over|on|using|thru) (?:my |the )?${CHANNELS}\\b`,
  ),
  new RegExp(
    `\\b(?:contat[aeo]\\w*|avis[ae]\\w*|notifi\\w*|fal[ae]\\w*|respond\\w*|mand[ae]\\w*|cham[ae]\\w*|receber|atend\\w*|comunica\\w*|entr\\w+ em contato)\\b[^.?!\\n]{0,30}?\\b(?:por|pelo|pela|via|no|de) (?:o |meu )?${CHANNELS}\\b`,
  ),
  new RegExp(
    `\\b(?:prefer|prefiro|preferia|preferencia|rather|melhor|best)\\b[^.?!\\n]{0,30}?\\b${CHANNELS}\\b`,
  ),
];
const CALL_ME =
  /\b(?:call|phone|ring|text|e-?mail|whatsapp) me (?:instead|from now on|in (?:the )?future|always|rather)\b|\b(?:always|rather|only) (?:call|phone|e-?mail|whatsapp) me\b/;
const REFUSED =
  /(?:\bnot\b|n't\b|\bdont\b|\bnao\b|\bnever\b|\bnunca\b|\bsem\b|\bdo you\b|\bvoces? (?:fala|atende|tem)\w*|\bstop\b)[^.,;?!]{0,24}$/;

/** What is asked to be kept in mind: "remember that ...", "anota aí que ...". */
const KEEP =
  /\b(?:remember|keep in mind|note|make a note|take note|for the record|for next time|lembr[ae]\w*|anot[ae]\w*|guard[ae]|registr[ae]|leve em conta|pro futuro|para o futuro)\b/;
const ACCESS =
  /\b(?:wheelchair|mobility scooter|crutches|walking stick|guide dog|deaf|blind|hard of hearing|sign language|audio description|step[- ]free|cadeira de rodas|cadeirante|muletas?|bengala|cao[- ]guia|surd[ao]|ceg[ao]|baixa visao|libras|audiodescricao|sem degraus)\b/;
const LIKES =
  /\bi (?:really |just |only )?(?:like|love|prefer|enjoy|adore) ([^.;!?\n]{2,100})|\b(?:eu )?(?:so )?(?:gosto (?:muito |mais )?d[eoa]s?|adoro|amo|prefiro|curto) ([^.;!?\n]{2,100})/;

/** Between that and what is to be kept. */
const TOLD = /^(?:[\s,:]|(?:that|down|please|a[ií]|que|pra mim|por favor)(?!\p{L}))+/iu;

/** What the customer asks to be remembered beside language and way of contact; null where nothing. */
export function findKept(written: string): PreferenceSlot | null {
  const { folded, at } = fold(written);
  const keeps = KEEP.exec(folded);
  if (!keeps) return null;
  const told = written.slice(at[keeps.index + keeps[0].length] ?? 0).replace(TOLD, '');
  const value = ACCESS.test(foldText(told)) ? told : written;
  if (ACCESS.test(folded)) return { key: 'accessibility', value: value.trim().slice(0, 120) };
  const liked = LIKES.exec(folded);
  const favourites = (liked?.[1] ?? liked?.[2])?.trim();
  return favourites ? { key: 'favourites', value: favourites } : null;
}

const firstWish = (text: string, patterns: readonly RegExp[]): string | null => {
  for (const pattern of patterns) {
    const match = pattern.exec(text);
    if (match === null) continue;
    if (
      REFUSED.test(text.slice(0, match.index)) ||
      REFUSED.test(match[0].slice(0, match[0].length - (match[1] ?? '').length))
    )
      continue;
    return match[1] ?? null;
  }
  return null;
};

/**
 * A wish about the language of answers or the way to be reached. A single request ("email me the receipt",
 * "is the tour in English?") is no wish, nor is a refusal ("don't call me").
 */
export function findPreference(text: string): PreferenceSlot | null {
  // Clause by clause, so that "don't call, contact me by e-mail" gives the second half its say.
  for (const part of foldText(text).split(/[.;!\n]|, ?(?:mas|but|so|use|prefiro|i prefer)?/)) {
    const whole = part.trim();
    if (whole === '') continue;
    const language = firstWish(whole, LANGUAGE_WISHES);
    if (language !== null) return { key: 'language', value: languageOf(language) };
    const channel = firstWish(whole, CONTACT_WISHES);
    if (channel !== null) return { key: 'contact_method', value: channelOf(channel) };
    const call = CALL_ME.exec(whole);
    if (call !== null && !REFUSED.test(whole.slice(0, call.index))) {
      return {
        key: 'contact_method',
        value: /mail/.test(call[0]) ? 'email' : /whatsapp/.test(call[0]) ? 'whatsapp' : 'phone',
      };
    }
  }
  return findKept(text);
}

/** Asks for somebody to talk to, whatever way is named beside it: "I want to talk to a person by phone". */
const WANTS_PERSON =
  /\b(?:person|human|somebody|someone|anybody|anyone|agent|operator|representative|manager|pessoa|humano|alguem|atendente|gerente|persona|alguien|agente|gerente)\b/;
/** Of more words a message tells more than how somebody wants to be treated. */
const MOST_WORDS = 16;

/**
 * True where a text states what should hold from now on, and wants nobody and no single thing: "e-mail me my ticket" does not.
 * @param isThing true for a word of what the company's records are called
 */
export function statesPreference(text: string, isThing: (word: string) => boolean): boolean {
  const folded = foldText(text);
  const words = tokenize(folded).map(({ word }) => word);
  if (words.length > MOST_WORDS || words.some(isThing) || WANTS_PERSON.test(folded)) return false;
  return findPreference(text) !== null;
}
