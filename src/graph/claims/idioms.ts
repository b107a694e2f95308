/* Turns of phrase that claim or promise without a verb that says so. Compared with folded text, but for names. */

/** Given for nothing. */
export const GIFT =
  /(?:^|[^\p{L}])(on the house|on us|courtesy|complimentary|goodwill|good will|free of charge|for free|free months?|at no (?:extra |additional )?(?:cost|charge)|bonus|voucher|coupon|cashback|gift|cortesia|brinde|de graca|por nossa conta|gratis|presente|mimo|isencao|isento|sem custo|sem cobranca|cupom|half (?:off|price)|pela metade|credits?(?! card)|(?<!de )creditos?)(?![\p{L}])/gu;
export const COSTS_NOTHING = /free|grati|graca|no (?:extra |additional )?c|sem c/;
/** How fast, without a number. */
export const AT_ONCE =
  /(?:^|[^\p{L}])(instant(?:ly|aneo|aneamente)?|automatically|automaticamente|immediately|imediatamente|na hora(?! d[aeo]))(?![\p{L}])/u;
/** By when, without a date. */
export const DEADLINE =
  /(?:^|[^\p{L}])(by (?:tonight|tomorrow|noon|midnight|the end of (?:the|this) (?:day|week|month)|end of day|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|within the (?:hour|day|week)|(?:in )?(?:a|any) (?:minute|moment)|later today|first thing tomorrow|this (?:afternoon|evening)|ainda (?:hoje|nesta|essa)|hoje mesmo|ate (?:o fim|o final) d[oae]|ate amanha|em instantes|daqui a pouco|logo logo|nas proximas horas|in the next (?:few )?hours)(?![\p{L}])/u;
/** A person by name who is to do something. */
export const NAMED =
  /(?<!\p{L})(\p{Lu}\p{Ll}{2,20})(?: from (?:our|the)|,? (?:from our|d[oa] (?:setor|equipe|time|atendimento|suporte|departamento)|will \p{Ll}+|(?:is|are) \p{Ll}+ing|vai (?:te|ligar|entrar|cuidar)))/gu;
/** People of a rank or trade, whom a source has to name. */
export const ROLES: ReadonlySet<string> = new Set(
  'manager managers supervisor supervisors specialist specialists director coordinator engineer technician lawyer boss head executive gerente gerentes supervisora especialista especialistas diretor diretora coordenador coordenadora tecnico tecnica advogado advogada chefe gestor gestora'.split(
    ' ',
  ),
);
