/* Turns of phrase that claim or promise without a verb that says so. Compared with folded text, but for names. */

/** Says by itself that everything is settled. */
export const SETTLED = new RegExp(
  [
    "taken care of|signed off on|green light|go-ahead|deu certo|sinal verde|all (?:set|sorted|done|good now|fixed)|everything(?:’s|'s| is) (?:on track|in order|settled)",
    "(?:it|that|this|everything)(?:'s|’s| is) (?:now |already |all )*(?:done|sorted|fixed|resolved|handled|gone|settled)",
    'consider (?:it|this|that|the matter) (?:done|sorted|cancelled|settled|closed|handled|resolved)|nothing (?:more|else|further) (?:for you )?to do|(?:problem|issue|matter) (?:solved|sorted|fixed|closed)',
    '(?:money|refund|amount|payment|cash) (?:is|are|has|have|went) (?:already |now )?(?:back|gone back|landed|in your|on its|on the way)|on (?:its|the|their) way (?:to (?:you|your)|back)|(?:is|are|s) (?:already |now )?on (?:its|their|the) way',
    'no longer (?:active|valid|booked|reserved|on your|in your|shows)|off (?:the books|your account|your list)|(?:leave|left) (?:it|this|that) (?:with|to) (?:me|us)',
    '(?:ja )?(?:esta|ta) (?:tudo |ja )*(?:resolvid|pront|feit|encaminhad|solucionad)[oa]s?|tudo (?:resolvido|pronto|feito|acertado|solucionado)|(?:problema|questao|caso|assunto) (?:resolvid|encerrad|solucionad)[oa]',
    'a caminho|pode (?:desconsiderar|considerar)|cuidei (?:de tudo|disso)|com todos os detalhes em maos|deixa comigo|pode deixar (?:comigo|que (?:eu|a gente))|por nossa conta',
    '(?:dinheiro|valor|reembolso|estorno) (?:ja )+(?:caiu|voltou|saiu|foi|entrou|esta)|(?:reserva|assinatura|plano|cobranca) (?:ja )?nao (?:existe|esta|vale|consta) mais',
  ]
    .map((part) => `(?<![\\p{L}])(?:${part})(?![\\p{L}])`)
    .concat('^\\s*(?:pronto|prontinho|feito|done|all done|sorted|ta feito)\\s*[,!.:;]')
    .join('|'),
  'u',
);
/** Given for nothing. */
export const GIFT =
  /(?:^|[^\p{L}])(on the house|on us|courtesy|complimentary|goodwill|good will|free of charge|for free|free months?|at no (?:extra |additional )?(?:cost|charge)|bonus|voucher|coupon|cashback|gift|cortesia|brinde|de graca|por nossa conta|gratis|presente|mimo|isencao|isento|sem custo|sem cobranca|cupom|half (?:off|price)|pela metade|credits?(?! card)|(?<!de )creditos?)(?![\p{L}])/gu;
export const COSTS_NOTHING = /free|grati|graca|no (?:extra |additional )?c|sem c/;
/** How fast, without a number. */
export const AT_ONCE =
  /(?:^|[^\p{L}])(instant(?:ly|aneo|aneamente)?|automatically|automaticamente|immediately|imediatamente|na hora)(?![\p{L}])/u;
/** By when, without a date. */
export const DEADLINE =
  /(?:^|[^\p{L}])(by (?:tonight|tomorrow|noon|midnight|the end of (?:the|this) (?:day|week|month)|end of day|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|within the (?:hour|day|week)|(?:in )?(?:a|any) (?:minute|moment)|later today|first thing tomorrow|this (?:afternoon|evening)|ainda (?:hoje|nesta|essa)|hoje mesmo|ate (?:o fim|o final) d[oae]|ate amanha|em instantes|daqui a pouco|logo logo|nas proximas horas|in the next (?:few )?hours)(?![\p{L}])/u;
/** A person by name who is to do something. */
export const NAMED =
  /(?<!\p{L})(\p{Lu}\p{Ll}{2,20})(?: from (?:our|the)|,? (?:from our|d[oa] (?:setor|equipe|time|atendimento|suporte|departamento)|will \p{Ll}+|(?:is|are) \p{Ll}+ing|vai (?:te|ligar|entrar|cuidar)))/gu;
