import { isAskedAndShown } from './record-states.js';
import { CONDITION, type Sentence } from './sentences.js';
import { fold } from './tokens.js';
import type { TurnEvidence } from './turn-evidence.js';

/* Turns of phrase that claim a deed or commit the company's people in other words than a verb of one. Compared with folded text. */

/** "Noted!", "Feito, Ana!": a deed in one word. */
const AT_THE_HEAD =
  /^\s*(?:all )?(?:done|noted|sorted|fixed|updated|forwarded|escalated|(?:anotad|feit|registrad|resolvid|encaminhad|atualizad|trocad)[oa]s?|pront(?:o|inho))(?:[,;:] (?!se |if |when |quando )|[.!]|\s*$)/u;
/** Words that begin with the same letters are one. */
const STEM = 6;
const NO = /(?<!\p{L})(?:not|nao|no|never|nunca|nada|nothing|n['’]t)(?!\p{L})/u;
/** Decides for those who decide. */
const APPROVAL =
  /(?<!\p{L})(?:(?:will|(?:going|sure|certain) to|shall|vai|vao|ira|irao)(?: \p{L}+ly)?(?: be| ser)? (?:approved?|granted?|accept(?:ed)?|authori[sz]ed?|aprova\p{L}*|aceit\p{L}*|autoriza\p{L}*|conced\p{L}*)|['’]ll (?:be )?(?:approved?|granted?|accept(?:ed)?|authori[sz]ed?)|(?<!\p{L})(?:is|are|e|sao) (?:always|automatically|sempre|automaticamente) (?:approved|granted|accepted|(?:aprovad|aceit|concedid)[oa]s?)|(?:sera|serao|fica|ficam|sai) (?:aprovad|aceit|autorizad|concedid)[oa]s?)(?!\p{L}| or | ou )/u;
const SUPPOSED = /(?<!\p{L})(?:whether|if|unless|se|caso|talvez|maybe|perhaps|nem sempre)(?!\p{L})/u;
/** It lies with the company's people. */
const WITH_PEOPLE =
  /(?<!\p{L})(?:(?:is|are|it['’]s) (?:already |now )?(?:with|in the hands of)|(?:ja )?(?:esta|estao|ta|foi) (?:agora )?(?:com|nas maos d[aeo]|na mao d[aeo])) (?:(?:an?|our|the|uma?|[ao]|noss[ao]|my) )*(?:person|team|manager|supervisor|colleague|operator|specialist|agent|pessoa|equipe|time|gerente|atendente|especialista|colega|supervisor\p{L}*)(?!\p{L})/u;
/** And waits there. */
const IN_QUEUE =
  /(?<!\p{L})(?:in|on|at the top of) (?:their|our|the (?:support )?team['’]s|support['’]s) (?:queue|hands|list|inbox|desk|pile)(?!\p{L})|(?<!\p{L})n[ao] (?:fila|caixa|mesa|lista) (?:d[aeo]s? )?(?:noss[ao] )?(?:equipe|time|atendimento|atendentes?|suporte|deles|delas)(?!\p{L})/u;
/** It has been got ready. */
const READY =
  /(?<!\p{L})(?:is|are|['’]s|['’]re|esta|estao|ta|ficou|ficaram) (?:(?:now|already|all|ja|agora|tudo|tod[oa]) )*(ready|all set|sorted|in place|on (?:its|the|their) way|under way|pront[oa]s?|liberad[oa]s?|acertad[oa]s?|resolvid[oa]s?|a caminho|em andamento)(?!\p{L})/u;
/** It has come so far already; not "what has already been ...", which says which one is meant. */
const ALREADY =
  /(?<!(?:that|which|who|what|que|se|if) )(?<!\p{L})(?:(?:is|are|has been|have been) (?:already|now)|(?:already|now) (?:is|are)|ja (?:esta|estao|ta|foi|foram)|(?:esta|estao|ta) (?:ja|agora)) (\p{L}+)/u;
/** Something of the customer's own. */
const OWN = /(?<!\p{L})(?:yours?|seus?|suas?|teus?|tuas?)(?!\p{L})/u;
/** And all in so many words that it has been brought about: "Mudança concluída"; "still confirmed" says that nothing has. */
const BROUGHT_ABOUT =
  /^\P{L}*(?!(?:still|ainda|segue|continua)(?!\p{L}))(?:\p{L}+ ){1,2}(?:complete[d]?|done|confirmed|processed|successful|updated|concluid[oa]s?|efetuad[oa]s?|realizad[oa]s?|finalizad[oa]s?|confirmad[oa]s?|feit[oa]s?|atualizad[oa]s?)(?:,? \p{L}+)?[.!]\s*$/u;
/** One of them answers by a moment that is no rule's. */
const ANSWERS_BEFORE =
  /(?<!\p{L})(?:team|person|someone|somebody|they|equipe|pessoa|alguem|time|atendente)(?!\p{L})[^.;]{0,40}?(?:answers?|repl(?:y|ies)|decides?|responde\p{L}*|decide\p{L}*|resposta|retorn\p{L}+|calls?|liga)(?!\p{L})[^.;]{0,30}?(?:before|antes)(?!\p{L})/u;

/** A deed in one word, a matter that lies with people, or their yes or answer promised, where nothing in the turn supports it. */
export function unsupportedPhrase(
  { text, question }: Sentence,
  evidence: TurnEvidence,
): { readonly kind: 'claimed_action' | 'promise'; readonly what: string } | null {
  if (question) return null;
  const plain = fold(text);
  const what = text.trim();
  const { facts, records } = evidence;
  if (records.done.size === 0) {
    // Nobody has looked at what is the customer's own, and they did not say so.
    const already = ALREADY.exec(plain)?.[1];
    const isTold = already !== undefined && fold(facts.asked).includes(already.slice(0, STEM));
    if (already && !isTold && records.all.length === 0 && OWN.test(plain) && !CONDITION.test(text))
      return { kind: 'claimed_action', what };
    if (AT_THE_HEAD.test(plain) && !isAskedAndShown(evidence)) return { kind: 'claimed_action', what };
    const waits = records.all.some(({ pending }) => pending.size > 0);
    const isThere = WITH_PEOPLE.test(plain) || IN_QUEUE.test(plain);
    if (!waits && isThere && !SUPPOSED.test(plain)) return { kind: 'claimed_action', what };
    const ready = READY.exec(plain);
    const state = (ready?.[1] ?? '').slice(0, STEM);
    const isSourced =
      [...facts.sourced].some((word) => word.startsWith(state)) || facts.text.includes(` ${state}`);
    if (ready && !waits && !isSourced && !CONDITION.test(text) && !NO.test(plain.slice(0, ready.index)))
      return { kind: 'claimed_action', what };
    if (BROUGHT_ABOUT.test(plain) && records.asked.length === 0 && !facts.asked.includes('?'))
      return { kind: 'claimed_action', what };
  }
  const approval = APPROVAL.exec(plain);
  if (approval && !NO.test(plain.slice(0, approval.index)) && !SUPPOSED.test(plain.slice(0, approval.index)))
    if (!facts.text.includes(approval[0].trim())) return { kind: 'promise', what };
  if (ANSWERS_BEFORE.test(plain) && !NO.test(plain)) return { kind: 'promise', what };
  return null;
}
