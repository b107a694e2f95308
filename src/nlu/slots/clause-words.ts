import { z } from 'zod';
import type { Language } from '../../core/domain/taxonomy.js';
import { pattern, readWords } from '../words.js';
import type { IdReader } from './ids-and-days.js';
import type { RecordWords } from './record-words.js';

/** Words that join two requests; they belong to neither. */
export const JOINT =
  /^(?:[\s,;:+&¿¡–-]|(?:and|y|ademas|tambien|pero|also|then|n(?= (?:what|when|where|how|who|can|do|does|is|are)s?\b)|plus|additionally|besides|moreover|furthermore|but|btw|by the way|while (?:you're|you are|ur|youre) at it|after that|afterwards|as well as|second(?:ly)?|finally|lastly|e|tambem|depois|alem disso|em seguida|alias|ah|a proposito|(?:ja )?aproveit(?:a|e|ando)(?: e)?|ja que|enquanto isso|mais|mas|dai|entao|por fim|outra coisa|another thing|one more thing)\b)+/;

/** Politeness in front of a request, and whom it is called out to. */
export const POLITE =
  /^(?:(?:yo|hey|hiya|dude|bro|man|mate|guys|folks|lol|omg|hmm+|oi+|eae|eai|e ai|ei|opa|mano|mana|cara|gente|galera|pessoal|moc[oa]|tipo|blz|please|pls|plz|kindly|just|so|now|ok|okay|well|first(?:ly)?|primeiro|por favor|pfv|pf|agora|so|ai|entao|bom|olha|tambem|also|ja|se possivel|if possible|(?:vamos )?faz(?:er|emos)? (?:o seguinte|assim)|let'?s do (?:this|the following|it like this)|do the following|haz(?:me)? lo siguiente)\b[\s,:]*)+/;

/** One greeting, thanks or name at the start. Taken off one at a time: a repeated group would backtrack without end. */
const GREETING_ITEM =
  /^(?:hi|hello|hey|hiya|dear|good (?:morning|afternoon|evening|day|night)|greetings|yo|thanks?|thank you|thx|cheers|many thanks|ty|regards|best regards|kind regards|sorry|oi+|ola|opa|e ai|bom dia|boa tarde|boa noite|obrigad[oa]|obg|valeu|vlw|grat[oa]|abracos?|att|atenciosamente|desculpa|desculpe|tudo (?:bem|bom|certo)|blz|beleza|hope you are (?:well|doing well)|how are you(?: doing)?(?: today)?|how is it going|como vai(?: voce)?|espero que esteja(?:m)? bem|(?:my name is|this is|i am|i'm|im|meu nome e|me chamo|aqui e [ao]|sou [ao]) \p{L}+(?: \p{L}+){0,2}|there|team|all|everyone|support|sir|madam|pessoal|gente|galera|equipe|time|in advance|desde ja|so much|very much|a lot|a todos|pela atencao|pela ajuda|for your help|for the help|again|mais uma vez|muito|you)(?![\p{L}\p{N}])[\s,.!?;:)-]*/u;

/** A greeting in front of more. */
const hello = (company: string): RegExp =>
  new RegExp(
    String.raw`^(?:hi|hello|hey|hiya|good (?:morning|afternoon|evening)|oi+|ola|opa|bom dia|boa tarde|boa noite)(?: (?:there|team|all|everyone|support|pessoal|gente|galera|${company}))?(?:[\s,.!:-]+|$)(?:tudo (?:bem|bom|certo)[?!,. ]+)?`,
  );

/** One phrase that asks for attention or lets off steam; no question of its own. */
const NO_QUESTION_ITEM =
  /^(?:(?:can|could|would|will) (?:you|someone|anyone|anybody|somebody) (?:please )?(?:help(?: me)?(?: out)?(?: please)?(?: with (?:this|that|something|an issue|a problem|my account))?)|(?:please )?help(?: me)?(?: please)?|i (?:really )?need (?:some |your )?help(?: please)?(?: with (?:this|something))?|i have (?:a|two|some|a few|a couple of) (?:questions?|requests?|problems?|issues?)|is (?:anyone|anybody|someone) (?:there|here)|are you (?:there|kidding(?: me)?|serious|a (?:bot|robot))|is this a joke|really|seriously|what (?:the (?:hell|heck)|is (?:going on|this|wrong with you(?: people)?|happening))|wtf|why is this so (?:hard|difficult)|you know|right|ok|okay|got it|understood|(?:voces? )?(?:pode|podem|poderia|poderiam|consegue) me ajudar(?: com isso)?(?: por favor)?|me ajud[ae](?: por favor)?|preciso de (?:uma )?ajuda|tenho (?:uma|duas|algumas) (?:duvidas?|perguntas?)|tem alguem ai|alguem ai|isso e (?:uma )?(?:brincadeira|piada)|serio|como assim|que (?:absurdo|isso)|ne|entendeu|ta|certo)(?![\p{L}\p{N}])[\s,.!?]*/u;

const madeOf = (item: RegExp, text: string): boolean => {
  let left = text.trim();
  for (let match = item.exec(left); match !== null && match[0] !== '' && left !== ''; match = item.exec(left))
    left = left.slice(match[0].length);
  return left === '';
};

/** Nothing but a call for attention. */
export const isNoQuestion = (text: string): boolean => madeOf(NO_QUESTION_ITEM, text);

/** A question about how or whether: what follows "and" in it is asked about, not ordered. */
const QUESTION_EN =
  "how (?:do|does|did|can|could|would|will|should|many|much|long|far|old|soon|late|early|often|to|come|is|are)|what(?:'s| is| are| was| do| does| did| time| happens| happened| if| kind| about| should| would| can| will| day| else| plan)|whats|when(?:'s| is| are| do| does| did| will| can| was| would| should)|where(?:'s| is| are| do| does| did| can| was| will)|which|why(?:'s| is| are| was| were| did| do| does| can't| cant| has| have| am| would)|who(?:'s| is| can| do| will)|can (?:i|we|my|it|a)|could (?:i|we)|may i|should i|will (?:i|it|my|the|you charge|there)|would (?:i|it|my)|do (?:i|you|u|ya|we|they|kids|children|members)|does|did (?:i|you|my|the|it)|is (?:there|it|my|the|that|this|a|any)|are (?:there|my|the|these|those|any|you open)|am i|was (?:i|my|the|it)|were|have (?:i|you|u|my)|has (?:my|the|it)|any chance|is it possible";
const QUESTION_PT =
  'como (?!(?:sempre|se|ja|disse|falei|estou|sou|o|a|um|uma|cliente|membro|nao|combinado|de)\\b)[a-z]+|quant[oa]s?|qual|quais|quando|onde|aonde|por que|pq|porque (?:nao|eu|meu|minha|a|o|foi)|cade|quem|que (?:horas|dia|hora|dias)|o que|oq|posso|consigo|podemos|da (?:pra|para)|tem (?:como|algum|alguma|jeito|vaga|desconto|estacionamento)|e possivel|e verdade|sera que|ha (?:algum|alguma|como)|existe|eu (?:tenho|posso|consigo|ainda)|ainda (?:tenho|posso|da|tem)|vou (?:receber|ser|perder|pagar)|vai (?:ter|ser)|meu pagamento|minha conta (?:esta|foi|vai)';
const question = ({ thingsIn, singleIn }: RecordWords, more: readonly string[]): RegExp => {
  const things = thingsIn('pt-BR');
  const single = singleIn('pt-BR');
  return new RegExp(
    `^(?:${[QUESTION_EN, QUESTION_PT, ...more].join('|')}|tem (?:${things})|meu (?:${single})|minha (?:${single}) (?:esta|foi|vai))\\b`,
  );
};

const patterns = z.array(pattern).min(1);
const schema = z.strictObject({
  questions: patterns,
  stated: patterns,
  conditional: patterns,
  wishes: patterns,
  orders: patterns,
  knowing: patterns,
  indirect: patterns,
  further: patterns,
  pressing: patterns,
  articles: patterns,
  and: patterns,
});

/** An order or wish in the middle of a sentence: "I was charged twice so I want a refund". */
export const ASK_INSIDE =
  /\b(?:i (?:want|need|would like|wanna)|i'd like|can you|could you|please (?:cancel|refund|tell|check|help|fix|change|pause|send|update|explain|let)|quero|preciso|gostaria|queria|poderia|(?:voce|vc) pode|por favor (?:cancel|reembols|me|verifi|mud|paus|envi|atualiz)\w*)\b/;

/** Words that are no object of their own. */
export const PRONOUNS = new Set(
  'it that this them those these one ones me my i you we us please pls then now later again instead too also asap soon immediately today back up out off all both another other same the a an to of for in on at with as well and if possible isso essa esse ela ele elas eles me mim eu voce pra para por favor agora ja depois tambem logo mesmo o a os as um uma de da do e tudo outra outro dela dele hoje'.split(
    ' ',
  ),
);

/** Refunds asked for together with a cancellation are one request: one follows from the other. */
export const REFUND =
  /\b(?:refund\w*|money back|my (?:money|r?\$? ?\d[\d.,]* back)|reembols\w*|estorn\w*|meu dinheiro|o dinheiro|devol\w*)\b/;
/** A new date for what is called off: part of the same wish. */
export const REBOOK = /^(?:reagend|remarc|rebook|reschedul|re-?book)\w*/;
export const CANCEL = /\b(?:cancel\w*|desmarc\w*)\b/;
/** Something that went wrong, told without asking for anything: enough to be looked into. */
const SYMPTOM_EN =
  "charged (?:me |us )?(?:twice|double|two times)|double charge\\w*|(?:didn't|did not|didnt|wouldn't|would not|not) let (?:me|us) in|turned (?:me |us )?away|(?:denied|refused) (?:me |us )?(?:entry|entrance|at the)|never (?:got|received|saw) (?:my |the )?(?:money|refund)|refund (?:never|has not|hasn't|did not|didn't)";
const SYMPTOM_PT =
  'cobra\\w+ (?:\\w+ )?(?:duas|2) vezes|cobra\\w+ em dobro|cobrancas? (?:duplas?|duplicadas?)|barra(?:ram|do|da|dos|das)|nao (?:me |nos )?deixa(?:ram|va|m) entrar|nao recebi (?:o |meu )?(?:reembolso|dinheiro|estorno)|(?:dinheiro|reembolso|estorno) (?:nunca|nao) (?:voltou|caiu|chegou|veio)';
export const SYMPTOM = new RegExp(`\\b(?:${SYMPTOM_EN}|${SYMPTOM_PT})\\b`);
/** Orders that are no cure of such a symptom, and so a request of their own. */
export const OTHER_CHANGE =
  /\b(?:cancel|cancela|cancelar|cancele|cancelem|desmarca|desmarcar|desmarque|pause|pausa|pausar|suspend|suspenda|suspender)\b/;
/** What makes a change the cure after all: "charged twice, cancel the second charge". */
export const MONEY_THING =
  /\b(?:charges?|payments?|fees?|cobranc\w*|pagament\w*|taxas?|refund\w*|reembols\w*|estorn\w*)\b/;

/** Words of clauses that depend on whose records they are about, and on who speaks. */
export interface ClauseWords {
  /** A greeting in front of more. */
  readonly hello: RegExp;
  /** A question about how or whether. */
  readonly question: RegExp;
  /** A question in the order of a statement: "my friend can use it?". */
  readonly stated: RegExp;
  /** Makes a statement after "and" a part of what it stands in: "what if I cancel and it is paid?". */
  readonly conditional: RegExp;
  /** The same at the beginning. */
  readonly condition: RegExp;
  /** An order or wish that stands on its own after "and". */
  readonly ask: RegExp;
  /** Verbs that order something to be done; after "and" they count only with an object of their own. */
  readonly order: RegExp;
  /** Asks to be told something. */
  readonly knowing: RegExp;
  /** The beginning of a second thing to tell: "and whether I can". */
  readonly indirect: RegExp;
  /** Announces another matter, within the first words: "and I also need". */
  readonly further: RegExp;
  /** Nothing but a word that presses for the answer to what stands before it: "can I or not?". */
  readonly pressing: RegExp;
  /** Stands before a thing: "my", "the". This and the next are sources of patterns. */
  readonly articles: string;
  /** Joins two things. */
  readonly and: string;
  /** A thing one can do something to, so that a second "refund" has its own object. */
  readonly thing: RegExp;
  /** Nothing but greetings, thanks and names. */
  isGreeting(text: string): boolean;
}

/** Makes the words of clauses for a company's records, in its languages. */
export function createClauseWords(
  records: RecordWords,
  ids: IdReader,
  languages: readonly Language[],
): ClauseWords {
  const named = new RegExp(`^(?:${records.company})(?![\\p{L}\\p{N}])[\\s,.!?;:)-]*`, 'u');
  const item = new RegExp(`(?:${GREETING_ITEM.source})|(?:${named.source})`, 'u');
  const files = languages.map((language) => readWords(language, 'clauses', schema));
  const all = (key: keyof z.infer<typeof schema>): string => files.flatMap((file) => file[key]).join('|');
  return {
    hello: hello(records.company),
    question: question(
      records,
      files.flatMap(({ questions }) => questions),
    ),
    stated: new RegExp(`^(?:${all('stated')})`),
    condition: new RegExp(`^(?:${all('conditional')})\\b`),
    conditional: new RegExp(`\\b(?:${all('conditional')})\\b`),
    ask: new RegExp(`^(?:${all('wishes')})\\b`),
    order: new RegExp(`^(?:re)?(?:${all('orders')})\\b`),
    knowing: new RegExp(`\\b(?:${all('knowing')})\\b`),
    indirect: new RegExp(`^(?:${all('indirect')})`),
    further: new RegExp(`^(?:[\\s,;:-]*[a-z']+){0,2}?[\\s,;:-]*\\b(?:${all('further')})\\b`),
    pressing: new RegExp(`^(?:${all('pressing')})\\W*$`),
    articles: all('articles'),
    and: all('and'),
    thing: new RegExp(
      `\\b(?:${records.things}|${records.single}|charge|payment|cobranca|pagamento|fee|taxa|(?:${ids.prefixes})_\\d+)\\b`,
    ),
    isGreeting: (text) => madeOf(item, text),
  };
}
