/*
 * What an agent elsewhere may not say through the hub. It knows and changes nothing of the company, so whatever it says of
 * this customer's bookings, plan or money is not so. Rules in general ("refunds take ten days") are no such claim.
 */

const MONEY = '(?:refund|reimbursement|cancell?ation|credit|upgrade|compensation|chargeback)';
const DONE =
  '(?:cancell?ed|refunded|credited|approved|upgraded|paused|resumed|reactivated|reversed|unblocked|changed|granted)';
const DO =
  '(?:approved?|granted?|authori[sz]ed?|credit(?:ed)?|refund(?:ed)?|reimbursed?|upgraded?|cancel(?:l?ed)?|issued?)';
const OFTEN = '(?:now |just |already |successfully )*';

const DINHEIRO = '(?:reembolso|estorno|cr[eé]dito|cancelamento|upgrade)';
const FEITO =
  '(?:cancelad|reembolsad|estornad|creditad|aprovad|pausad|reativad|alterad|desbloquead|feit|conced)';
/** The end of a word, also after an accented letter. */
const END = '(?![\\p{L}\\p{N}])';

const CLAIMS: readonly RegExp[] = [
  `\\byour (?:\\p{L}+ ){0,3}?${MONEY}s? (?:request )?(?:was|were|is|has|have|will|got)${END}(?! not${END})`,
  `\\byour (?:\\p{L}+ ){0,3}?\\p{L}+ (?:(?:has|have) ${OFTEN}been|was|were|is now|are now|will be) ${OFTEN}${DONE}${END}`,
  `\\byou (?:have|were|will be|are) ${OFTEN}(?:been )?(?:refunded|credited|reimbursed|upgraded|compensated)${END}`,
  `\\byou(?:['’]ll| will) (?:get|receive) (?:your money|(?:an? |your )?(?:full |partial )?(?:refund|reimbursement|R\\$ ?\\d[\\d.,]*))${END}(?! (?:if|when|where|as|only|under|unless|depending))`,
  `\\b(?:i|we)(?:['’](?:ve|ll)| have| will)? ${OFTEN}${DO} (?:you|your|the|it|this|that|a|an|R\\$)${END}`,
  `\\brefund of (?:R\\$|BRL|\\d)[^.\\n]{0,40}? (?:was|has been|is|will be) (?:approved|issued|made|granted|processed|on its way)${END}`,
  `(?<!\\p{L})(?:seu|teu) (?:\\p{L}+ ){0,2}?${DINHEIRO} (?:j[aá] )?(?:foi|est[aá]|ser[aá]|saiu)${END}(?! (?:s[oó]|se)${END})`,
  `(?<!\\p{L})(?:sua|seu|suas|seus) (?:\\p{L}+ ){0,2}?\\p{L}+ (?:j[aá] )?(?:foi|foram|ser[aá]|ser[aã]o|est[aá]) (?:\\p{L}+ )?${FEITO}[oa]s?${END}`,
  `(?<!\\p{L})voc[eê] (?:j[aá] )?(?:foi|ser[aá]) (?:reembolsad|creditad|ressarcid|indenizad)[oa]${END}`,
  `(?<!\\p{L})voc[eê] (?:vai receber|receber[aá]|ganhou) (?:um |o )?(?:seu )?(?:reembolso|estorno|dinheiro de volta|R\\$ ?\\d[\\d.,]*)${END}(?! (?:se|quando|caso)${END})`,
  `(?<!\\p{L})(?:aprovei|aprovamos|concedi|concedemos|autorizei|autorizamos|creditei|creditamos|reembolsei|reembolsamos|reembolsaremos|estornei|estornamos|cancelei|cancelamos)${END}`,
  `(?<!\\p{L})(?:reembolso|estorno) de (?:R\\$|\\d)[^.\\n]{0,40}? (?:foi|ser[aá]|est[aá]) (?:aprovad|feit|conced|processad|a caminho)`,
].map((source) => new RegExp(source, 'iu'));

/** True where a text says that something of this customer was or will be changed, approved or paid here. */
export function claimsForUs(text: string): boolean {
  return CLAIMS.some((claim) => claim.test(text));
}

const ASKS =
  "(?:what is|what's|(?:tell|send|give|show) (?:me|us)|reply with|answer with|qual [eé]|(?:me|nos) (?:diga|passe|envie|mande|informe)|responda com)";
const SECRET =
  '(?:pass(?:word|code)|senha|pin|cvv|cvc|cpf|card number|card details|n[uú]mero do (?:seu )?cart[aã]o|dados do (?:seu )?cart[aã]o|security code|one-time code|c[oó]digo de (?:seguran[cç]a|verifica[cç][aã]o))';

const ASKS_SECRET = new RegExp(`(?<!\\p{L})${ASKS}${END}[^.!?\\n]{0,60}?(?<!\\p{L})${SECRET}s?${END}`, 'iu');

/** True where a text asks the customer for something that nobody should give away. */
export function asksSecret(text: string): boolean {
  return ASKS_SECRET.test(text);
}
