import { CONDITION, type Sentence } from './sentences.js';
import { fold } from './tokens.js';

/*
 * What whoever answers says that it did or is going to do itself. It does nothing but through tools and binds nobody: where
 * no tool has done anything in the turn, each such deed is untrue and each such promise empty, whatever its verb. Only what
 * it does in answering, reading and explaining, needs no tool. Compared with folded text.
 */

const ADVERBS = '(?:(?:just|already|also|now|even|only|since|gone ahead and|[a-z]+ly) )*';
const IRREGULAR =
  'made|sent|resent|put|gave|given|took|taken|set|reset|got|let|cut|did|done|redid|redone|wrote|written|rewrote|spoke|spoken|brought|kept|held|withheld|rang|rung|begun|began|undone|undid|gotten|freed|bought|dealt|told|left|ran|rerun|paid|repaid|sold|drew|drawn|withdrew|withdrawn|threw|thrown|split|chose|chosen|sought|won|lent|built|rebuilt|hid|hidden|swept|struck|stuck|caught|led|met|shut|spent';
const PAST = `(?:[a-z]{2,}ed|${IRREGULAR})`;
/** Reads, understands, says. */
const ANSWERS =
  '(?:look|check|read|review|consult|search|show|list|includ|explain|mention|describ|summari[sz]|notic|count|mean|assum|compar|call(?:ed)? it|need|want|hop|wish|lik|us|tri|prepar)';
/** Of what there is: "I've got just the thing", as against "I've got it refunded". */
const HAVING = 'got (?!(?:you|it|him|her|them|that|this|these|those|your|the|an?|both|all)(?![a-z]))';
const DID: readonly RegExp[] = [
  `(?<![a-z])i(?:['’]ve| have)? ${ADVERBS}(?!${ANSWERS}|${HAVING})${PAST}(?![a-z'’])`,
  `(?<![a-z])i(?:['’]ve| have)? ${ADVERBS}[a-z]+(?:ed|en|wn|nd)? [^.;:!?]{1,50}?(?: and|,) (?:also |then )?(?!${ANSWERS})${PAST} (?:it|them|you|your|the|that|this|an?|both|all) `,
].map((source) => new RegExp(source, 'u'));

const LE =
  '(?:verifi|confer|consult|olh|ach|encontr|procur|chec|busq|busc|pesquis|list|expli|cit|menci|mencion|entend|tent|anali[sz]|cont(?!at)|cheq|percebi|consegui|perceb|ador|am(?=ei)|gost|curt|fiqu|imagin|lament|torc|not(?=ei)|lembr|pens)';
const FEZ: readonly RegExp[] = [
  // A future ends like a past; names and nouns that end so are short.
  `(?<![\\p{L}])(?<!(?:nao|nada|nunca|nem)(?: te| lhe| o| a)? )(?!${LE}|(?:lei|rei|sei|hei|volei|frei|poderei|serei|estarei|ficarei|terei)(?!\\p{L}))\\p{L}{2,}ei(?!\\p{L})`,
  `(?:^|[,;:–—]\\s*|(?<!\\p{L})(?:ja|eu) (?:(?:te|lhe|ja) )?)(?!${LE}|(?:d?aqui|d?ali|vi|li|ouvi)(?!\\p{L}))\\p{L}*[bcdfglmnprstvzu]i(?!\\p{L})(?= (?:[oa]s?|um|uma|seu|sua|seus|suas|isso|tudo|ess[ae]|est[ae]) )`,
].map((source) => new RegExp(source, 'u'));

const HELPS =
  '(?:look|see|search|show|list|explain|help|tell|walk|read|suggest|go (?:through|over)|be (?:here|happy|glad|honest|careful|clear|brief)|need|try|say|assume|point|compare|find|leave it there)';
const WILL = new RegExp(
  `(?<![a-z])i(?:['’]ll| will| shall|['’]m (?:going to|gonna)| am going to) ${ADVERBS}(?!not |never |${HELPS})[a-z]+`,
  'u',
);
const AJUDA =
  '(?:ver|olhar|explic|mostr|procur|buscar|busc|sugerir|sugir|ajudar|ajud|dizer|digo|list|ler|tentar|tent|consult|verific|confer|te (?:explicar|mostrar|ajudar|dizer)|lhe (?:explicar|mostrar|ajudar|dizer)|desej|agradec|espero|entend|tenho|posso|acho|vejo|sinto|quero|preciso|mesmo|proprio|sozinho|nao|so)';
const FARA: readonly RegExp[] = [
  `(?<!\\p{L})(?<!(?:nao|se) )vou (?:ja |logo )?(?!${AJUDA})\\p{L}+r(?!\\p{L})`,
  `(?<!\\p{L})(?<!(?:nao|se) )(?:te|lhe) (?!${AJUDA})\\p{L}{2,}o(?!\\p{L})`,
  `(?<!\\p{L})(?<!que )eu (?:te |lhe |mesmo )?(?!${AJUDA})\\p{L}{2,}o(?!\\p{L})`,
].map((source) => new RegExp(source, 'u'));
/** Asks for something first: "tell me which one, and I'll pass it on". */
const ASKS =
  /(?<!\p{L})(?:tell|give|send|write|choose|pick|say|let me know|diga|conte|mande|envie|escreva|escolha|informe|responda)(?!\p{L}).*(?:,| and| e| que) (?:i|eu)(?!\p{L})/u;

/** By what comes about. */
const EVENT =
  /(?<!\p{L})(?:when|once|as soon as|the moment|quando|assim que|logo que|no momento em que)(?!\p{L})/u;
/** And this is up to the customer. */
const OF_CUSTOMER =
  /(?<!\p{L})(?:you|your|voce|tu|quiser|preferir|confirmar|decidir|autorizar|mandar|enviar|informar|disser|responder|precisar|escolher)(?!\p{L})/u;
const SUPPOSED = /(?<!\p{L})(?:if|unless|whether|se|caso|tell|let|say|diga|conte|mande)(?!\p{L})/u;

/** A deed or a promise of whoever answers, where there is one; what waits for the customer promises nothing yet. */
export function saidOfItself({ text, question }: Sentence): 'claimed_action' | 'promise' | null {
  if (question) return null;
  const plain = fold(text)
    .replace(/(?<!\p{L})e-mail/gu, 'email')
    .trim();
  if ([...DID, ...FEZ].some((did) => did.test(plain))) return 'claimed_action';
  if ((CONDITION.test(text) && !isUntilEvent(plain)) || ASKS.test(plain)) return null;
  return [WILL, ...FARA].some((will) => will.test(plain)) ? 'promise' : null;
}

/** "I'll tell you when it opens": no condition that is the customer's to fulfil. */
function isUntilEvent(plain: string): boolean {
  const event = EVENT.exec(plain);
  return event !== null && !OF_CUSTOMER.test(plain.slice(event.index)) && !SUPPOSED.test(plain);
}
