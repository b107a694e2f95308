import { z } from 'zod';
import type { Language } from '../../core/domain/taxonomy.js';
import { pattern, readWords } from '../words.js';
import { type ChangeWords, readChangeWords } from './change-words.js';
import { foldText, tokenize } from './text.js';

const phrases = z.array(z.string());
const patterns = z.array(pattern).default([]);
const schema = z.strictObject({
  strong: phrases,
  weak: phrases,
  no: phrases,
  halt: phrases,
  unclear: phrases,
  action: phrases,
  fillers: phrases,
  around: phrases,
  several: phrases.default([]),
  please: phrases.default([]),
  concluding: phrases.default([]),
  changes: z.record(z.string(), phrases).default({}),
  renamed: z.record(z.string(), z.array(pattern)).default({}),
  renamed_of: z.record(z.string(), z.record(z.string(), z.array(pattern))).default({}),
  exchanging: patterns,
  adding: patterns,
  also: patterns,
  ordering: patterns,
  contrast: patterns,
  naming: patterns,
  terms: patterns,
  timing: patterns,
  lasting: patterns,
  hanging: patterns,
  pointing: patterns,
  elsewhere: patterns,
  plainly: phrases.default([]),
  informing: patterns,
  vague: patterns,
  telling: patterns,
  relaying: patterns,
  parting: patterns,
  negation: patterns,
  doubt: patterns,
  asking: patterns,
  ends_list: patterns,
  beside_name: z.array(z.string()).default([]),
});

/** What a phrase says, in the order in which phrases of the same length are tried. */
const CUES = ['unclear', 'action', 'no', 'halt', 'strong', 'weak'] as const;
export type Cue = (typeof CUES)[number];

/** A phrase and what it says. */
interface Phrase {
  readonly words: readonly string[];
  readonly cue: Cue;
}

/** How people answer a yes/no question, in all languages of the company. */
export interface AnswerWords {
  /** All phrases by their first word, longest first, so that "claro que nao" is never read as "claro". */
  readonly phrases: ReadonlyMap<string, readonly Phrase[]>;
  /** Words that change nothing, whatever the language of the message. "So" is none to who writes Portuguese ("só a pausa"). */
  fillersOf(language: Language | undefined): ReadonlySet<string>;
  /** Says at the end of a yes that it is meant for all that was asked: "yes, both". */
  readonly several: RegExp;
  /** What stops the hub for a moment, at the beginning of a folded message, with what parts it from the rest. */
  readonly halts: RegExp;
  /** True for a word that may stand around a yes without changing it; words for a change only where the question has it. */
  aroundIn(question: string): (word: string) => boolean;
  /** Whether a text names a change that the question asks for ("cancel the jazz one" after "shall I cancel ...?"), or another. */
  namesChange(text: string, question: string): { readonly asked: boolean; readonly other: boolean };
  /** How changes are named. */
  readonly changes: ChangeWords;
  /** What joins the next matter to an answer, at its beginning: "and", "while you are at it". */
  readonly adding: RegExp;
  /** The same at the beginning, or "too" anywhere: "cancel the other one too". */
  readonly added: RegExp;
  /** Ends what goes on with "and": "go ahead and drop it". */
  readonly ordering: RegExp;
  /** Begins what takes back a part of what stands before it. */
  readonly contrast: RegExp;
  /** Where a message may stop and begin again. */
  readonly joint: RegExp;
  /** A folded sentence without its beginning that asks what is to be done or seen next: "do I have to send"; null where it has none. */
  withoutNextStep(folded: string): string | null;
  /** Begins a folded sentence beside a yes that tells something and asks for nothing. */
  readonly telling: RegExp;
  /** Begins what the team is to be told of it: "tell them it is for my mother". */
  readonly relaying: RegExp;
  /** A whole message that takes note and says thanks, and agrees to nothing in so many words: "ok cool, cheers". */
  readonly parting: RegExp;
  /** Begins a folded question about when something comes of it; `lasting` about how long that takes, also without its mark. */
  readonly timing: RegExp;
  readonly lasting: RegExp;
  /** In a folded question beside a yes, says that the yes may hang on it: "instead", "in my place", "are you sure". */
  readonly hanging: RegExp;
  /** Points at what is asked about, or speaks of it as the only one: "is it", "the show". */
  readonly pointing: RegExp;
  /** Asks for what has nothing to do with any change: what else there is, what is left, the next charge. */
  readonly elsewhere: RegExp;
  /** The words in which another record is asked about where nothing is doubted: "when", "still on". */
  readonly plainly: ReadonlySet<string>;
  /** Asks what the change that is asked about brings or costs. */
  readonly terms: RegExp;
  /** Patterns of a folded stretch between commas that points at one of several. */
  readonly naming: readonly string[];
  /** True of a folded reply that adds nothing to what is told one by one: "that is all", "just me". */
  endsList(folded: string): boolean;
  /** Words that stand beside a name: "born", "my name is". */
  readonly besideName: ReadonlySet<string>;
  /** Whole answers that consent only because it was asked. */
  readonly please: ReadonlySet<string>;
  /** Words that say that what was asked about is decided. */
  readonly concluding: ReadonlySet<string>;
  /** What keeps an answer in a language from being a yes. */
  guards(language: Language | undefined): Guards;
}

/**
 * Reads `src/nlu/words/LANGUAGE/answers.yaml` of every language.
 * @param things pattern of what the company's records are called, which takes the place of THING in theirs
 */
export function readAnswerWords(languages: readonly Language[], things: string): AnswerWords {
  const files = languages.map((language) => readWords(language, 'answers', schema));
  const withThings = (patterns: readonly string[]) =>
    patterns.map((one) => one.replaceAll('THING', `(?:${things})`));
  const guards = new Map(languages.map((language, at) => [language, guardsOf(language, files[at])]));
  const map = new Map<string, Phrase[]>();
  for (const cue of CUES) {
    for (const phrase of files.flatMap((words) => words[cue])) {
      const words = phrase.split(' ');
      const key = words[0] ?? '';
      map.set(key, [...(map.get(key) ?? []), { words, cue }]);
    }
  }
  const own = languages.map((language, at) => [language, files[at]?.fillers ?? []] as const);
  const foreign = own.flatMap(([, words]) => words).filter((word) => !DOUBT.test(word));
  const fillers = new Map(own.map(([language, words]) => [language, new Set([...words, ...foreign])]));
  const unsure = new Set(foreign);
  const terms = new RegExp(`\\b(?:${source(files.flatMap((words) => words.terms))})\\b`);
  const changes = readChangeWords(files, echoesOf);
  const informing = new RegExp(`^\\W*(?:${source(files.flatMap((words) => words.informing))})(?![\\w'])`);
  const vague = new RegExp(`\\b(?:${source(files.flatMap((words) => words.vague))})\\W*$`);
  const asked = (question: string) => {
    // "If you only need a break, I can pause it instead" offers something else than is asked about.
    const plain = question.replace(/[^.?!]*[.!](?=\s)/g, ' ');
    const [own, all] = [changes.rootsIn(plain), changes.rootsIn(question)];
    const named = own.length > 0 ? own : all;
    const givesBack = terms.test(foldText(question));
    return changes.kinds.filter((kind) => (kind === 'refund' && givesBack) || named.includes(kind));
  };
  const ending = new RegExp(`^(?:no,? )?(?:${source(files.flatMap((words) => words.ends_list))})$`);
  const around = new Set(files.flatMap((words) => words.around));
  const adding = source(files.flatMap((words) => words.adding));
  const contrast = source(files.flatMap((words) => words.contrast));
  for (const list of map.values()) list.sort((a, b) => b.words.length - a.words.length);
  return {
    phrases: map,
    endsList: (folded) => ending.test(folded.replaceAll(/[^a-z0-9' ]+/g, ' ').trim()),
    besideName: new Set(files.flatMap(({ beside_name: words }) => words)),
    fillersOf: (language) => fillers.get(language ?? '') ?? unsure,
    // Looked for once a gap: from every blank of a long one it would take minutes.
    several: new RegExp(
      `(?<![\\s,])[\\s,]+(?:${files.flatMap(({ several }) => several).join('|') || '(?!)'})[\\s.!]*$`,
      'iu',
    ),
    halts: new RegExp(
      `^\\W*(?:${files
        .flatMap(({ halt }) => halt)
        .sort((a, b) => b.length - a.length)
        .join('|')})(?![\\p{L}\\p{N}'])[\\s,.;:!…-]*`,
      'u',
    ),
    aroundIn(question) {
      const known = question === '' ? changes.kinds : asked(question);
      return (word) => around.has(word) || changes.isOf(word, known);
    },
    namesChange(text, question) {
      const known = asked(question);
      const named = changes.kindsIn(text);
      return {
        asked: named.some((kind) => known.includes(kind)),
        other: named.some((kind) => !known.includes(kind)),
      };
    },
    changes,
    withoutNextStep: (said) => (informing.test(said) ? said.replace(informing, '').replace(vague, '') : null),
    adding: new RegExp(`^(?:${adding})(?![\\p{L}\\p{N}])[\\s,]*`, 'u'),
    added: new RegExp(
      `^(?:${adding})(?![\\p{L}\\p{N}])|\\b(?:${source(files.flatMap(({ also }) => also))})\\b`,
      'u',
    ),
    ordering: new RegExp(`\\b(?:${source(files.flatMap(({ ordering }) => ordering))})$`),
    contrast: new RegExp(`^(?:${contrast})\\b`),
    joint: new RegExp(
      `[.,;!?\\n]+\\s*|\\s*[\\u2013\\u2014&+]+\\s*|\\s-+\\s|\\s+(?=(?:${adding}|${contrast})\\s)`,
      'gu',
    ),
    timing: new RegExp(`^\\W*(?:${source(files.flatMap(({ timing }) => timing))})\\b`),
    lasting: new RegExp(`^\\W*(?:${source(files.flatMap(({ lasting }) => lasting))})`),
    telling: new RegExp(`^\\W*(?:${source(files.flatMap(({ telling }) => telling))})(?![\\w'])`),
    parting: new RegExp(`^\\W*(?:${source(files.flatMap(({ parting }) => parting))})\\W*$`),
    relaying: new RegExp(`^\\W*(?:${source(files.flatMap(({ relaying }) => relaying))})(?![\\w'])`),
    hanging: within(files.flatMap(({ hanging }) => hanging)),
    pointing: within(withThings(files.flatMap(({ pointing }) => pointing))),
    elsewhere: within(withThings(files.flatMap(({ elsewhere }) => elsewhere))),
    plainly: new Set(files.flatMap(({ plainly }) => plainly)),
    terms,
    naming: withThings(files.flatMap(({ naming }) => naming)),
    please: new Set(files.flatMap(({ please }) => please)),
    concluding: new Set(files.flatMap(({ concluding }) => concluding)),
    guards: (language) => guards.get(language ?? '') ?? GUARDS,
  };
}

/** True for a word of the question that is long enough to be known again. */
export function echoesOf(question: string): (word: string) => boolean {
  const asked = new Set(tokenize(foldText(question)).map(({ word }) => word.slice(0, 5)));
  return (word) => word.length >= 3 && asked.has(word.slice(0, 5));
}

function within(patterns: readonly string[]): RegExp {
  return new RegExp(`(?<![a-z0-9'])(?:${source(patterns)})(?![a-z0-9'])`);
}

function source(patterns: readonly string[]): string {
  return patterns.length === 0 ? '(?!)' : patterns.join('|');
}

/** What keeps an answer from being a yes. */
export interface Guards {
  /** Any of these, and it is no yes. */
  readonly negation: RegExp;
  /** A yes beside one of these is not a plain yes. */
  readonly doubt: RegExp;
  /** Openers of a question. */
  readonly asking: RegExp;
}

/** The guards of every language, with those that the file of one adds for its own messages. */
function guardsOf(language: Language, words: z.infer<typeof schema> | undefined): Guards {
  const including = (known: RegExp, added: readonly string[] = []): RegExp =>
    added.length === 0 ? known : new RegExp(`${known.source}|\\b(?:${added.join('|')})\\b`);
  return {
    negation: including(language === 'pt-BR' ? NEGATION_PT : NEGATION, words?.negation),
    doubt: including(DOUBT, words?.doubt),
    asking: including(ASKING, words?.asking),
  };
}

/** After a bare "no", these go on with the refusal or name what is meant instead; anything else is a new sentence. */
export const AFTER_NO =
  /^(?:the|that|this|my|i|i'm|im|i'd|i'll|all good|it|its|it's|we|please|leave|keep|cancel|only|just|instead|but|a|o|as|os|essa|esse|aquela|aquele|eu|e|na verdade|quero|era|mas|so|obrigad\w*|por|pode|deixa|mantenha|prefiro)\b/;

/** A whole answer that consents only because it was asked: "please" in front of anything else is politeness. */
export const PLEASE = /^(?:please|pls|plz|yes please|por favor|pfv|por gentileza)$/;

/** "Pode" with one of these consents; with another verb ("pode me explicar") it asks for something. */
export const PODE_DO =
  /^(?:sim|ser|pedir|cancelar|reembolsar|estornar|pausar|retomar|reativar|confirmar|prosseguir|seguir|continuar|fazer|executar|mandar|realizar|processar|proceder|efetuar|cancela|a|o|essa|esse|tudo|todas|todos)$/;

/** Any of these in a text, and it is no yes. "no" is left out in Portuguese, where it means "in the". */
export const NEGATION =
  /\b(?:not|no|nope|nah|none|never|nothing|nobody|neither|nor|cannot|dont|doesnt|didnt|cant|wont|isnt|arent|wasnt|wouldnt|shouldnt|couldnt|havent|hasnt|nvm|nevermind|nao|naum|naao|nem|nunca|jamais|nenhum|nenhuma|nada|sem|without|negative|negativo)\b|n't\b/;
const NEGATION_PT =
  /\b(?:not|nope|nah|never|cannot|dont|cant|wont|nvm|nevermind|nao|naum|naao|nem|nunca|jamais|nenhum|nenhuma|nada|sem|negativo|without)\b|n't\b/;

/** Conditions, contrasts, delays, doubts, another target: a yes beside one of these is not a plain yes. */
export const DOUBT =
  /\b(?:if|unless|provided|providing|as long as|only|once|after|before|until(?! now)|till(?! now)|when|whenever|but|however|though|although|except|instead|rather|other|another|different|else|wait|hold|stop|later|maybe|perhaps|probably|guess|think|suppose|depends?|depending|whether|or|first|keep|leave|forget|mistake|wrong|joking|kidding|sarcas\w*|pretend|suppose[dr]?|said|says?|told|asked|partial(?:ly)?|half|too|also|everything|account|everyone|all|se|tambem|tudo|todas|todos|conta|caso|desde que|contanto|so|somente|apenas|quando|depois|antes|ate(?! (?:agora|hoje|aqui))|mas|porem|contudo|entretanto|exceto|menos|fora|em vez|ao inves|outr[ao]s?|diferente|espera|espere|pera|perai|calma|para ai|talvez|acho|provavelmente|depende|ou|primeiro|mantem|mantenha|manter|deixa|deixe|esquece|errad[ao]|disse|falou|falei|perguntou|metade|parcial)\b/;

/** Openers of a question, which a yes in front does not answer. */
export const ASKING =
  /\b(?:how|what|why|when|where|who|which|will i|do i|can i|could i|would i|is it|is there|are there|tell me|explain|como|quanto|quanta|quantos|quantas|qual|quais|por que|porque|pq|onde|quem|sera que|vou receber|me diz|me fala|me explica)\b/;

/** For a message whose language is not known. */
const GUARDS: Guards = { negation: NEGATION, doubt: DOUBT, asking: ASKING };

/** Why what would be cancelled cannot be used: a reason for a yes, and no "no". */
export const UNABLE_TO_GO =
  /\b(?:(?:i|we|she|he|they) )?(?:can'?t|cannot|can not|won'?t be able to|am not able to|will not be able to) (?:go|make it|attend|come|be there)\b(?: any ?more| after all)?|\b(?:eu |a gente |nos )?nao (?:posso|podemos|consigo|conseguimos|poderei|vou (?:poder|conseguir)|vamos (?:poder|conseguir)) (?:mais )?(?:ir|comparecer)\b(?: mais)?/g;

/** Asks for it in the form of a question: "can you cancel it, please?" in answer to "shall I cancel it?". */
export const POLITE_ORDER =
  /^(?:(?:then|so|ok|okay|yes|please|sim|entao|por favor|ah|e) )*(?:can|could|would|will) you\b|^(?:(?:ok|sim|entao|por favor|ah|e) )*(?:pode|poderia|podem|voce pode|vc pode|da pra|da para)\b/;

/** What a question may ask for with no second meaning: said again, it is a yes. "Cancel" may call the question off. */
export const ECHO =
  /^(?:refund|reimburs|reembols|estorn|paus|resum|unpaus|reativ|retom|reactiv|ask|ped[eai]|peca|confirm)/;

/** Says again what is to be done: "cancel the samba one", "I want to cancel it". */
export const SAYS_AGAIN =
  /^(?:(?:please|just|so|then|por favor|entao|eu|you can|i want to|i want you to|i would like to|i'd like to|quero|pode|pode sim|gostaria de) )*(?:cancel|refund|pause|resume|confirm|do|go|proceed|cancela|cancelar|cancele|reembols\w+|estorn\w+|pausar|pausa|retomar|confirma|confirmar|faz|fazer|faca)\b/;

/** Faces and signs that answer, or doubt; and what only colours them. */
export const YES_EMOJI = /[\u{1F44D}\u{2705}\u{1F44C}\u{1F197}\u{2714}\u{2611}\u{1F64B}\u{1F4AF}]/gu;
export const NO_EMOJI = /[\u{1F44E}\u{274C}\u{1F6AB}\u{1F6D1}\u{270B}\u{26D4}\u{1F645}\u{2716}]/gu;
export const DOUBT_EMOJI = /[\u{1F914}\u{1F937}\u{1F615}\u{1F612}\u{1F644}\u{1F610}]/u;
export const SKIN = /[\u{1F3FB}-\u{1F3FF}]/gu;
