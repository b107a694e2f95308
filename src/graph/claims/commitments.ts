import { grants } from './denials.js';
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
const NEAR = 0.6;
/** And so much of what stands behind a verb of grammar they have to say. */
const BACKED = 0.6;
/** A verb that so surely says a deed says it. */
const SHOWS = 0.6;
/** Verbs that begin with the same letters are one. */
const [STEM, ENDING] = [4, 2];
const BETWEEN =
  '(?:(?:then|also|just|still|even|always|usually|already|personally|gladly|happily|now|soon|try to|ja|logo|tambem|ainda|te|lhe|[a-z]+ly|[a-z]+mente) )*';
/** Stands for the company's name, of which as much is said as of its people. */
const COMPANY = 'thecompany';
const PEOPLE =
  '(?:(?:thecompany|team|people|person|colleagues?|manager|supervisor|staff|support|agents?|operators?|specialists?|management|someone|somebody|(?:box office|head office)))(?: (?:from|of|on|in) (?:the|our) [a-z]+)?';
const PESSOAS =
  '(?:thecompany|equipe|time|atendimento|suporte|pessoa|gerentes?|supervisora?|atendentes?|colegas?|funcionari[oa]s?|gerencia|especialistas?|alguem|a gente)(?: d[aeo]s? (?:noss[ao] )?[a-z]+)?';
const VERBS: readonly string[] = [
  `(?<![a-z])(?:we|${PEOPLE})(?:['’]ll| will| shall|['’]re going to| (?:is|are) going to) ${BETWEEN}(?!be |not |never )([a-z]{3,})`,
  `(?<![a-z])${PEOPLE} can ${BETWEEN}(?!not |never )([a-z]{3,})`,
  `(?<![a-z])(?<!(?:for|to|by|with|of|from|that|at|in|on) (?:an? |the |our )?)${PEOPLE} ${BETWEEN}([a-z]{2,}s)(?![a-z])`,
  `(?<![a-z])(?:will|['’]ll|going to) ${BETWEEN}be ${BETWEEN}(?!not |never )([a-z]+(?:ed|en|wn|nt|de))(?![a-z])`,
  `(?<![a-z])(?<!(?:para|que|pra|pela|pelo|com|de|da|do|na|no|with|to|at|in|on|of|from|by) (?:[ao]s? |uma? |noss[ao] )?)${PESSOAS} (?:vai |vao |pode |podem |ira |irao |consegue )?${BETWEEN}(?!nao |nunca |seguinte)([a-z]{4,}(?:a|e|am|em|ara|era|ira|r))(?![a-z])`,
  `(?<![a-z])(?:sera|serao|vai ser|vao ser) ${BETWEEN}([a-z]+[aieu]d[oa]s?)(?![a-z])`,
  // Whoever else is going to do something for the customer: "an engineer will come round", "eles vão segurar a porta".
  `(?<![a-z])(?:they|(?:an?|our|one of (?:our|the))(?: [a-z]+){1,3}?)(?:['’]ll| will| (?:is|are) going to) ${BETWEEN}(?!be |not |never )([a-z]{3,})`,
  `(?<![a-z])(?:vamos|iremos|(?:eles|elas|(?:uma?|noss[ao])(?: [a-z]+){1,3}) (?:vai|vao|ira|irao)) ${BETWEEN}(?!ser |nao |nunca )([a-z]{2,}r)(?![a-z])`,
  `(?<![a-z])(?:nos )?([a-z]{2,}(?:aremos|eremos|iremos|amos|emos))(?![a-z])`,
];
const patterns = new WeakMap<ReadonlySet<string>, readonly RegExp[]>();

/** @param names the words of the company's name, folded */
function patternsFor(names: ReadonlySet<string>): readonly RegExp[] {
  const known = patterns.get(names);
  if (known) return known;
  const company = [...names].filter((name) => /^\p{L}+$/u.test(name)).join('|');
  const made = VERBS.map((source) => new RegExp(source.replaceAll(COMPANY, company || COMPANY), 'gu'));
  patterns.set(names, made);
  return made;
}

/** Looking at it, making up their minds and saying so. */
const HANDLES =
  /^(?:look|check|review|examin|decid|reread|answer|repl(?:y|ie)|respond|consider|assess|investigat|weigh|stud(?:y|ie)|tell|need|want|know|show|help|work|deal|handl|contact|olh|verific|confer|avali|analis|responde?|estud|apur|revis|julg|exist|precis|ajud|ador|lament|esper|recomend|suger|agradec|entend|trabalh|atend|trat|cuid|contat|resolv)|^(?:entra\p{L}*|be|is|was|has|have|does|do|read|reads|see|sees|ver|ve|veja|le|ler|leem|sab\p{L}*|quer\p{L}*|pod\p{L}*|va|vai|vao|vamos|tem|tenh\p{L}*|ter|teremos|temos|dev\p{L}{1,4}|ped\p{L}*|esta\p{L}*|estiv\p{L}*|foi|foram|for|fosse\p{L}*|ser|sera\p{L}*|seremos|somos)$/u;
const NO =
  /(?<!\p{L})(?:not|no|never|nobody|neither|nor|none|nao|nem|nunca|ninguem|nenhum|nenhuma)(?!\p{L})|n['’]t(?!\p{L})/u;

/** "Only a person can lift it" promises nothing. */
const ALONE = /(?<!\p{L})(?:only|so|apenas|somente) (?:(?:an?|the|our|uma?|[ao]|noss[ao]) )?$/u;

/** What the company's people are said to do that no source says of them; null where there is nothing of the kind. */
export function unsupportedCommitment({ text, question }: Sentence, evidence: TurnEvidence): string | null {
  if (question || ASSENT.test(text) || evidence.records.done.size > 0) return null;
  const { facts } = evidence;
  const plain = fold(text);
  const told = fold([...facts.rules, ...facts.statements].join('\n'));
  for (const pattern of patternsFor(facts.names))
    for (const { 0: found, 1: verb = '', index } of plain.matchAll(pattern)) {
      const before = plain.slice(0, index);
      if (HANDLES.test(verb) || NO.test(before) || NO.test(found) || ALONE.test(before)) continue;
      const plainVerb = verb.replace(/(?<=[aei]r)emos$|(?<=[ae])mos$/, '');
      if (isShown(verb, evidence)) continue;
      const stem = stemOf(plainVerb);
      // "Past months are not recalculated": what a rule names only to deny it.
      if (told.includes(stem) && !grants(told, stem)) return text.trim();
      if (isSourced(plainVerb, evidence)) continue;
      const backing = evidence.backing(plainVerb);
      // "Come", "go": a verb of grammar says nothing without what stands behind it.
      if (backing < 1 ? backing >= NEAR : evidence.backing(restOf(text, index + found.length)) >= BACKED)
        continue;
      return text.trim();
    }
  return null;
}

/** What stands behind a verb, up to the next sign. */
function restOf(text: string, from: number): string {
  return /^[^,.;:!?\n]*/.exec(text.slice(from))?.[0] ?? '';
}

function stemOf(verb: string): string {
  return verb.slice(0, Math.max(STEM, verb.length - ENDING));
}

function isSourced(verb: string, { facts }: TurnEvidence): boolean {
  const stem = stemOf(verb);
  return tokensOf(verb).length === 0 || [...facts.sourced].some((word) => word.startsWith(stem));
}

/** "Devolvemos": what a record shows was done. */
function isShown(verb: string, { statements, records }: TurnEvidence): boolean {
  const { deeds } = statements.read(verb);
  return records.all.some((record) => [...record.deeds].some((deed) => deeds[deed] > SHOWS));
}
