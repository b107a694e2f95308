import type { Sentence } from './sentences.js';
import { fold } from './tokens.js';
import type { TurnEvidence } from './turn-evidence.js';

/* Turns of phrase that claim a deed or commit the company's people in other words than a verb of one. Compared with folded text. */

/** "Noted!", "Feito, Ana!": a deed in one word. */
const AT_THE_HEAD =
  /^\s*(?:all )?(?:done|noted|sorted|fixed|updated|forwarded|escalated|(?:anotad|feit|registrad|resolvid|encaminhad|atualizad|trocad)[oa]s?|pront(?:o|inho))(?:[,;:] (?!se |if |when |quando )|[.!]|\s*$)/u;
const NO = /(?<!\p{L})(?:not|nao|no|never|nunca|nada|nothing|n['’]t)(?!\p{L})/u;
/** Decides for those who decide. */
const APPROVAL =
  /(?<!\p{L})(?:(?:will|(?:going|sure|certain) to|shall|vai|vao|ira|irao)(?: \p{L}+ly)?(?: be| ser)? (?:approved?|granted?|accept(?:ed)?|authori[sz]ed?|aprova\p{L}*|aceit\p{L}*|autoriza\p{L}*|conced\p{L}*)|['’]ll (?:be )?(?:approved?|granted?|accept(?:ed)?|authori[sz]ed?)|(?:sera|serao|fica|ficam|sai) (?:aprovad|aceit|autorizad|concedid)[oa]s?)(?!\p{L}| or | ou )/u;
const SUPPOSED = /(?<!\p{L})(?:whether|if|unless|se|caso|talvez|maybe|perhaps|nem sempre)(?!\p{L})/u;
/** It lies with the company's people. */
const WITH_PEOPLE =
  /(?<!\p{L})(?:(?:is|are|it['’]s) (?:already |now )?(?:with|in the hands of)|(?:ja )?(?:esta|estao|ta|foi) (?:agora )?(?:com|nas maos d[aeo]|na mao d[aeo])) (?:(?:an?|our|the|uma?|[ao]|noss[ao]|my) )*(?:person|team|manager|supervisor|colleague|operator|specialist|agent|pessoa|equipe|time|gerente|atendente|especialista|colega|supervisor\p{L}*)(?!\p{L})/u;
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
    if (AT_THE_HEAD.test(plain)) return { kind: 'claimed_action', what };
    const waits = records.all.some(({ pending }) => pending.size > 0);
    if (!waits && WITH_PEOPLE.test(plain) && !SUPPOSED.test(plain)) return { kind: 'claimed_action', what };
  }
  const approval = APPROVAL.exec(plain);
  if (approval && !NO.test(plain.slice(0, approval.index)) && !SUPPOSED.test(plain.slice(0, approval.index)))
    if (!facts.text.includes(approval[0].trim())) return { kind: 'promise', what };
  if (ANSWERS_BEFORE.test(plain) && !NO.test(plain)) return { kind: 'promise', what };
  return null;
}
