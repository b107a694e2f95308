import { ASSENT } from './moods.js';
import type { Sentence } from './sentences.js';
import { fold, tokensOf } from './tokens.js';
import type { TurnEvidence } from './turn-evidence.js';

/*
 * What the company's people are said to do, by their verb: "we'll waive it", "a equipe parcela o valor". People look at things
 * and answer; all else that they are to do has to stand in a source of the turn, whatever else its sentence rightly says.
 * Compared with folded text.
 */

/** So near to a word of the articles a verb has to be. */
const NEAR = 0.5;
/** A verb that so surely says a deed says it. */
const SHOWS = 0.6;
/** Verbs that begin with the same letters are one. */
const [STEM, ENDING] = [4, 2];
const BETWEEN =
  '(?:(?:then|also|just|still|even|always|usually|already|personally|gladly|happily|now|soon|try to|ja|logo|tambem|ainda|te|lhe|[a-z]+ly|[a-z]+mente) )*';
const PEOPLE =
  '(?:(?:team|people|person|colleagues?|manager|supervisor|staff|support|agents?|operators?|specialists?|management|someone|somebody|(?:box office|head office)))(?: (?:from|of|on|in) (?:the|our) [a-z]+)?';
const PESSOAS =
  '(?:equipe|time|atendimento|suporte|pessoa|gerentes?|supervisora?|atendentes?|colegas?|funcionari[oa]s?|gerencia|especialistas?|alguem|a gente)(?: d[aeo]s? (?:noss[ao] )?[a-z]+)?';
const VERBS: readonly RegExp[] = [
  `(?<![a-z])(?:we|${PEOPLE})(?:['’]ll| will| shall|['’]re going to| (?:is|are) going to) ${BETWEEN}(?!be |not |never )([a-z]{3,})`,
  `(?<![a-z])${PEOPLE} can ${BETWEEN}(?!not |never )([a-z]{3,})`,
  `(?<![a-z])(?<!(?:for|to|by|with|of|from|that) (?:an? |the |our )?)${PEOPLE} ${BETWEEN}([a-z]{2,}s)(?![a-z])`,
  `(?<![a-z])(?:will|['’]ll|going to) ${BETWEEN}be ${BETWEEN}(?!not |never )([a-z]+(?:ed|en|wn|nt|de))(?![a-z])`,
  `(?<![a-z])(?<!(?:para|que|pra|pela|pelo|com|de) (?:[ao]s? |uma? |noss[ao] )?)${PESSOAS} (?:vai |vao |pode |podem |ira |irao |consegue )?${BETWEEN}(?!nao |nunca )([a-z]{4,}(?:a|e|am|em|ara|era|ira|r))(?![a-z])`,
  `(?<![a-z])(?:sera|serao|vai ser|vao ser) ${BETWEEN}([a-z]+[aieu]d[oa]s?)(?![a-z])`,
  `(?<![a-z])(?:nos )?([a-z]{2,}(?:aremos|eremos|iremos|amos|emos))(?![a-z])`,
].map((source) => new RegExp(source, 'gu'));
/** Looking at it, making up their minds and saying so. */
const HANDLES =
  /^(?:look|check|review|examin|decid|read|reread|see|answer|repl|respond|consider|assess|investigat|weigh|stud|tell|be|is|was|has|does|have|need|want|know|show|help|olh|verific|confer|avali|analis|decid|responde?|ver|le|ler|estud|apur|revis|julg|exist|sab|quer|precis|pod|ajud|va|tem|dev|ador|lament|esper|recomend|suger|agradec|ped|entend|est|fo|ser)/;
const NO =
  /(?<!\p{L})(?:not|no|never|nobody|neither|nor|none|nao|nem|nunca|ninguem|nenhum|nenhuma)(?!\p{L})|n['’]t(?!\p{L})/u;

/** What the company's people are said to do that no source says of them; null where there is nothing of the kind. */
export function unsupportedCommitment({ text, question }: Sentence, evidence: TurnEvidence): string | null {
  if (question || ASSENT.test(text) || evidence.records.done.size > 0) return null;
  const plain = fold(text);
  for (const pattern of VERBS)
    for (const { 0: found, 1: verb = '', index } of plain.matchAll(pattern)) {
      if (HANDLES.test(verb) || NO.test(plain.slice(0, index)) || NO.test(found)) continue;
      const plainVerb = verb.replace(/(?<=[aei]r)emos$|(?<=[ae])mos$/, '');
      if (isShown(verb, evidence)) continue;
      if (evidence.backing(plainVerb) >= NEAR || isSourced(plainVerb, evidence)) continue;
      return text.trim();
    }
  return null;
}

function isSourced(verb: string, { facts }: TurnEvidence): boolean {
  const stem = verb.slice(0, Math.max(STEM, verb.length - ENDING));
  return tokensOf(verb).length === 0 || [...facts.sourced].some((word) => word.startsWith(stem));
}

/** "Devolvemos": what a record shows was done. */
function isShown(verb: string, { statements, records }: TurnEvidence): boolean {
  const { deeds } = statements.read(verb);
  return records.all.some((record) => [...record.deeds].some((deed) => deeds[deed] > SHOWS));
}
