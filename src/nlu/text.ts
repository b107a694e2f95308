import { fold } from '../core/text.js';
import { withPlainNot } from './slots/text.js';

/** Chat shorthand, folded, with what it stands for; words of one abbreviation are joined by +. */
const TABLE = `
  vc=voce vcs=voces ce=voce ces=voces pq=porque oq=o+que q=que n=nao nn=nao naum=nao ñ=nao hj=hoje tb=tambem
  tbm=tambem pfv=por+favor pf=por+favor pfvr=por+favor pfvor=por+favor qdo=quando qnd=quando qto=quanto
  qt=quanto qts=quantas qtas=quantas qtos=quantos ta=esta tava=estava tou=estou td=tudo mto=muito mt=muito
  mta=muita msg=mensagem obg=obrigado vlw=valeu blz=beleza pra=para pras=para+as pros=para+os qro=quero eh=e
  aki=aqui kd=cade ngm=ninguem algm=alguem dps=depois agr=agora cmg=comigo vdd=verdade msm=mesmo msma=mesma
  mesmu=mesmo sdds=saudade gnt=gente fds=fim+de+semana dnv=de+novo tds=todos cmo=como qm=quem qlqr=qualquer
  qq=qualquer ond=onde mds=meu+deus bjs=beijos abcs=abracos obgd=obrigado obgda=obrigada brigado=obrigado
  brigada=obrigada brigadao=obrigado flw=tchau cel=celular aq=aqui entaum=entao tlg=entendeu vcis=voces
  vsf=droga fzr=fazer fz=fazer qndo=quando tmb=tambem tbem=tambem smp=sempre pqp=droga pgto=pagamento
  pgt=pagamento reenb=reembolso assin=assinatura insc=inscricao cancl=cancelar axo=acho axei=achei oxi=oxe
  tendi=entendi tamo=estamos tamos=estamos tavam=estavam pru=para+o prum=para+um prumas=para+umas duma=de+uma
  pera=espera perai=espera
  u=you ur=your r=are pls=please plz=please plss=please thx=thanks tks=thanks im=i+am ive=i+have id=i+would
  wanna=want+to gonna=going+to gimme=give+me lemme=let+me cuz=because bc=because coz=because cant=can+not
  cannot=can+not dont=do+not doesnt=does+not didnt=did+not wont=will+not isnt=is+not arent=are+not
  wasnt=was+not werent=were+not havent=have+not hasnt=has+not hadnt=had+not couldnt=could+not
  wouldnt=would+not shouldnt=should+not aint=is+not wheres=where+is whats=what+is hows=how+is thats=that+is
  theres=there+is whos=who+is acc=account acct=account pw=password pwd=password appt=appointment
  info=information cust=customer rsrv=reserve tix=tickets wud=would cud=could ppl=people tmrw=tomorrow
  tmr=tomorrow tmw=tomorrow yest=yesterday wknd=weekend mins=minutes hrs=hours hr=hour yrs=years msgs=messages
  txt=text pics=pictures pic=picture bday=birthday sry=sorry srry=sorry soz=sorry ty=thanks tysm=thanks
  thnx=thanks thanx=thanks thnks=thanks omw=on+my+way idk=i+do+not+know dunno=do+not+know rn=right+now
  btw=by+the+way tho=though thru=through bcz=because becoz=because gotta=have+to gotcha=understood
  kinda=kind+of lotta=lot+of outta=out+of shoulda=should+have rly=really rlly=really pmt=payment pymt=payment
  pymnt=payment membr=member canx=cancel
  cxl=cancel cncl=cancel refnd=refund whr=where wht=what wot=what shd=should yall=you+all youre=you+are
  theyre=they+are weve=we+have youve=you+have itll=it+will ull=you+will hav=have gd=good nite=night abt=about
  hv=have nd=and
`;

/** What a word of chat shorthand stands for, in folded words. Both languages at once, because people mix them. */
const SHORTHAND: ReadonlyMap<string, readonly string[]> = new Map(
  TABLE.trim()
    .split(/\s+/)
    .map((pair) => {
      const [short = '', long = ''] = pair.split('=');
      return [short, long.split('+')];
    }),
);

/** Longest part of a message that is looked at: its beginning, where people say what they want, and its end. */
const HEAD_CHARS = 4000;
const TAIL_CHARS = 500;

/** Control, format (zero-width, bidi), private-use and lone-surrogate characters; line breaks are kept apart. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}]/gu;

function capped(text: string): string {
  return text.length > HEAD_CHARS + TAIL_CHARS
    ? `${text.slice(0, HEAD_CHARS)}\n${text.slice(-TAIL_CHARS)}`
    : text;
}

/**
 * The part of a message worth analysing, as plain text: capped at 4,500 characters, compatibility
 * forms unified (full-width letters, ligatures), invisible characters removed, line breaks kept.
 */
export function cleanText(text: string): string {
  // A single character may stand for eighteen.
  return capped(capped(text).normalize('NFKC'))
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/\t/g, ' ')
    .replace(INVISIBLE, (char) => (char === '\n' ? '\n' : char === '\u200d' ? '' : ' '))
    .replace(/[’‘´`]/g, "'");
}

/** Every repetition is bounded, so scanning is linear in the length of the text. */
const TOKEN =
  /\{\{[^{}]{1,40}\}\}|<[^<>\s]{1,40}>|https?:\/\/\S{1,300}|www\.\S{1,200}|[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{1,40}|(?:r\$|us\$|\$|€|£)\s?\d[\d.,]{0,14}|\d[\d.,]{0,14}\s?(?:reais|brl|usd|eur|dollars|euros)\b|[#@][\w-]{1,40}|[a-z]{0,4}-?\d[\w\-./:]{0,30}|[a-z]{1,40}(?:'[a-z]{1,3})?|[?!]{1,40}|\p{Extended_Pictographic}/gu;

function numberToken(token: string): string {
  if (/[:]|\dh(?:\d\d)?$|\d(?:am|pm)$/.test(token)) return '_time';
  if (/\d[/.-]\d/.test(token) && token.length <= 10) return '_date';
  if (/^\d{1,3}[.,]?$/.test(token)) return '_num';
  return '_id';
}

/** Three and more equal letters in a row are emphasis ("sooo", "ajudaaa"), never spelling. */
function unstretch(word: string): string {
  return word.replace(/([a-z])\1{2,}/g, '$1');
}

function wordTokens(token: string): readonly string[] {
  const apostrophe = token.indexOf("'");
  if (apostrophe < 0) {
    const word = unstretch(token);
    return SHORTHAND.get(word) ?? [word];
  }
  const base = token.slice(0, apostrophe);
  const tail = token.slice(apostrophe + 1);
  if (tail === 't' && base.endsWith('n')) {
    const verb = base === 'can' ? 'can' : base === 'won' ? 'will' : base.slice(0, -1);
    return verb ? [verb, 'not'] : ['not'];
  }
  const helper: Readonly<Record<string, string>> = { m: 'am', re: 'are', ll: 'will', d: 'would', ve: 'have' };
  const second = Object.hasOwn(helper, tail) ? helper[tail] : undefined;
  return second ? [unstretch(base), second] : [unstretch(base)];
}

/**
 * Splits cleaned text into folded tokens. Words are written out where they are chat shorthand;
 * numbers, money, dates, times, codes, addresses become `_num`, `_money`, `_date`, `_time`, `_id`,
 * `_email`, `_url`; `?`, `!` and emoji stay, as they say something about the mood.
 */
export function tokenize(cleaned: string): string[] {
  const tokens: string[] = [];
  for (const match of withPlainNot(fold(cleaned)).matchAll(TOKEN)) {
    const token = match[0];
    const first = token.charCodeAt(0);
    if (first >= 97 && first <= 122 && !/\d|@|:\/\/|^www\./.test(token)) {
      for (const word of wordTokens(token)) tokens.push(word);
    } else if (token.startsWith('{{') || token.startsWith('#') || token.startsWith('<')) {
      tokens.push('_id');
    } else if (token.startsWith('?') || token.startsWith('!')) {
      tokens.push(token.includes('?') ? '?' : '!');
    } else if (token.startsWith('@')) {
    } else if (/^https?:|^www\./.test(token)) {
      tokens.push('_url');
    } else if (token.includes('@')) {
      tokens.push('_email');
    } else if (/[$€£]|reais|brl|usd|eur|dollars/.test(token)) {
      tokens.push('_money');
    } else if (/\d/.test(token)) {
      tokens.push(numberToken(token));
    } else {
      tokens.push(token);
    }
  }
  return tokens;
}

/** The suffixes of both languages that a light stemmer takes off, longest first. */
const SUFFIXES = [
  'amentos',
  'imentos',
  'amento',
  'imento',
  'ations',
  'ation',
  'ements',
  'ement',
  'ments',
  'ment',
  'acoes',
  'acao',
  'ariam',
  'aria',
  'aram',
  'eram',
  'iram',
  'ando',
  'endo',
  'indo',
  'ados',
  'adas',
  'idos',
  'idas',
  'ado',
  'ada',
  'ido',
  'ida',
  'amos',
  'emos',
  'ings',
  'ing',
  'ers',
  'ed',
  'ar',
  'er',
  'ir',
  'am',
  'em',
  'ei',
  'ou',
  'es',
  'as',
  'os',
  's',
  'a',
  'e',
  'o',
  'y',
];

/**
 * One light stemmer for both languages (after the idea of the RSLP and Porter stemmers, first step only):
 * "cancelar", "cancelei", "cancela" and "cancel" meet in one stem, and so do many cognates.
 */
export function stem(word: string): string {
  if (word.length < 4 || word.charCodeAt(0) === 95) return word;
  for (const suffix of SUFFIXES) {
    if (word.length - suffix.length >= 3 && word.endsWith(suffix)) {
      const rest = word.slice(0, -suffix.length);
      const last = rest.length - 1;
      return rest.length > 3 && rest[last] === rest[last - 1] ? rest.slice(0, -1) : rest;
    }
  }
  return word;
}
