import type { Language } from '../domain/taxonomy.js';
import type { ErrorCode } from '../errors.js';
import type { ApprovalReason } from '../policy/verdict.js';

/** Sentences for operators, in one language. Values that come in are already formatted. */
export interface DeskTexts {
  /** Why a routing rule holds, by its id. */
  readonly rules: Readonly<Record<string, string>>;
  byRule(value: { rule: string; why: string }): string;
  byModel(value: { reason: string }): string;
  // What an approval does
  cancels(value: { title: string; when: string; place: string; id: string; customer: string }): string;
  refunds(value: { title: string; when: string; id: string; customer: string }): string;
  paysBack(value: { amount: string }): string;
  paysNothing(): string;
  visitReturns(): string;
  pauses(value: { days: number; until: string; customer: string }): string;
  resumes(value: { customer: string }): string;
  cancelsSubscription(value: { customer: string }): string;
  runs(value: { tool: string; args: string; customer: string }): string;
  needed(reason: ApprovalReason, hours: number): string;
  impossible(code: ErrorCode): string;
  told(): string;
  onReject(): string;
  onExpiry(value: { when: string }): string;
}

const EN_IMPOSSIBLE: Partial<Record<ErrorCode, string>> = {
  not_found: 'the reservation is no longer there',
  customer_blocked: 'the customer is blocked',
  already_done: 'it is done already',
  already_refunded: 'it is refunded already',
  not_upcoming: 'it has started',
  attended: 'it was attended',
  nothing_paid: 'nothing was paid',
  wrong_status: 'its state has changed',
};

const PT_IMPOSSIBLE: Partial<Record<ErrorCode, string>> = {
  not_found: 'a reserva não existe mais',
  customer_blocked: 'o cliente está bloqueado',
  already_done: 'isso já foi feito',
  already_refunded: 'o reembolso já foi feito',
  not_upcoming: 'já começou',
  attended: 'o cliente compareceu',
  nothing_paid: 'nada foi pago',
  wrong_status: 'o estado mudou',
};

const en: DeskTexts = {
  rules: {
    R1: 'the hop limit was reached',
    R2: 'triage said that a person is needed',
    R3: 'a part of the message asks for a person',
    R4: 'the customer is frustrated and the priority is high or urgent',
    R5: 'a reply to an open question goes back to the agent that asked',
    R6: 'the message was too vague to act on, so the hub asked back',
    R7: 'no rule was certain, so the model chose',
    R8: 'the customer asks to change something',
    R9: 'the customer asks about the account',
    R10: 'a symptom needs to be diagnosed',
    R11: 'a general question',
    R12: 'every part was answered',
    R13: 'the conversation is held to one agent',
    R14: 'a reply to the question of an agent elsewhere goes back to it',
    R15: 'the words of the question name an agent elsewhere',
    R16: 'the help centre had no answer, and a skill of an agent elsewhere fits',
  },
  byRule: ({ rule, why }) => `Rule ${rule}: ${why}.`,
  byModel: ({ reason }) => `The model chose: ${reason}`,
  cancels: ({ title, when, place, id, customer }) =>
    `Cancels "${title}" on ${when} (${place}), reservation ${id} of ${customer}.`,
  refunds: ({ title, when, id, customer }) =>
    `Refunds "${title}" of ${when}, reservation ${id} of ${customer}.`,
  paysBack: ({ amount }) => `${amount} goes back to the payment method that was used, once.`,
  paysNothing: () => 'No money moves: nothing was paid.',
  visitReturns: () => "The visit returns to the customer's plan.",
  pauses: ({ days, until, customer }) =>
    `Pauses the subscription of ${customer} for ${days} ${days === 1 ? 'day' : 'days'}, until ${until}. Reservations stay valid.`,
  resumes: ({ customer }) => `Resumes the subscription of ${customer} at once; charges start again.`,
  cancelsSubscription: ({ customer }) =>
    `Cancels the subscription of ${customer} at once. Reservations stay valid and the current month is not refunded.`,
  runs: ({ tool, args, customer }) => `Runs ${tool} with ${args} for ${customer}.`,
  needed: (reason, hours) =>
    ({
      late_cancellation: `An operator decides because it starts in less than ${hours} hours.`,
      amount_above_limit:
        'An operator decides because the amount is above what the hub may refund by itself.',
      cancelled_late: `An operator decides because it was cancelled less than ${hours} hours before the start.`,
      no_show: 'An operator decides because it has already taken place.',
    })[reason],
  impossible: (code) =>
    `It cannot be carried out any more: ${EN_IMPOSSIBLE[code] ?? code}. Approving changes nothing and the customer is told.`,
  told: () => 'The customer is told at once, in the conversation.',
  onReject: () => 'If you reject it, nothing changes and the customer is told your reason.',
  onExpiry: ({ when }) => `If nobody decides by ${when}, it expires and nothing changes.`,
};

const pt: DeskTexts = {
  rules: {
    R1: 'o limite de passos foi atingido',
    R2: 'a triagem indicou que é preciso uma pessoa',
    R3: 'parte da mensagem pede uma pessoa',
    R4: 'o cliente está frustrado e a prioridade é alta ou urgente',
    R5: 'a resposta a uma pergunta aberta volta ao agente que perguntou',
    R6: 'a mensagem era vaga demais, então o hub perguntou de volta',
    R7: 'nenhuma regra era certa, então o modelo escolheu',
    R8: 'o cliente pede para mudar algo',
    R9: 'o cliente pergunta sobre a conta',
    R10: 'um sintoma precisa de diagnóstico',
    R11: 'uma pergunta geral',
    R12: 'todas as partes foram respondidas',
    R13: 'a conversa é com um só agente',
    R14: 'a resposta à pergunta de um agente de fora volta a ele',
    R15: 'as palavras da pergunta indicam um agente de fora',
    R16: 'a central de ajuda não tinha resposta, e uma habilidade de um agente de fora serve',
  },
  byRule: ({ rule, why }) => `Regra ${rule}: ${why}.`,
  byModel: ({ reason }) => `O modelo escolheu: ${reason}`,
  cancels: ({ title, when, place, id, customer }) =>
    `Cancela "${title}" em ${when} (${place}), reserva ${id} de ${customer}.`,
  refunds: ({ title, when, id, customer }) =>
    `Reembolsa "${title}" de ${when}, reserva ${id} de ${customer}.`,
  paysBack: ({ amount }) => `${amount} volta para a forma de pagamento usada, uma única vez.`,
  paysNothing: () => 'Nenhum dinheiro se move: nada foi pago.',
  visitReturns: () => 'A visita volta para o plano do cliente.',
  pauses: ({ days, until, customer }) =>
    `Pausa a assinatura de ${customer} por ${days} ${days === 1 ? 'dia' : 'dias'}, até ${until}. As reservas continuam válidas.`,
  resumes: ({ customer }) => `Retoma a assinatura de ${customer} imediatamente; as cobranças recomeçam.`,
  cancelsSubscription: ({ customer }) =>
    `Cancela a assinatura de ${customer} imediatamente. As reservas continuam válidas e o mês atual não é reembolsado.`,
  runs: ({ tool, args, customer }) => `Executa ${tool} com ${args} para ${customer}.`,
  needed: (reason, hours) =>
    ({
      late_cancellation: `Um operador decide porque começa em menos de ${hours} horas.`,
      amount_above_limit:
        'Um operador decide porque o valor está acima do que o hub pode reembolsar sozinho.',
      cancelled_late: `Um operador decide porque foi cancelada a menos de ${hours} horas do início.`,
      no_show: 'Um operador decide porque já aconteceu.',
    })[reason],
  impossible: (code) =>
    `Não pode mais ser feito: ${PT_IMPOSSIBLE[code] ?? code}. Aprovar não muda nada e o cliente é avisado.`,
  told: () => 'O cliente é avisado na hora, na conversa.',
  onReject: () => 'Se você recusar, nada muda e o cliente recebe o seu motivo.',
  onExpiry: ({ when }) => `Se ninguém decidir até ${when}, expira e nada muda.`,
};

/** What operators read, in a language. */
export function deskTextsFor(language: Language): DeskTexts {
  return language === 'pt-BR' ? pt : en;
}
