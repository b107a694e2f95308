import type { EscalationReason } from '../domain/taxonomy.js';
import type { ErrorCode } from '../errors.js';
import type { NextStep, Texts } from './texts.js';

const plural = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

const upcomingStay = (upcoming: number): string => {
  if (upcoming === 0) return '';
  return upcoming === 1
    ? ' Sua próxima reserva continua valendo.'
    : ` Suas ${upcoming} próximas reservas continuam valendo.`;
};

const refundPart = (refund: string | null): string =>
  refund ? `Você recebe ${refund} de volta` : 'Nada foi pago por ela, então não há valor a reembolsar';

const APPROVAL_REASON = {
  amount_above_limit: 'o valor passa do que posso reembolsar sozinho',
  cancelled_late: 'o cancelamento foi muito perto do início',
  late_cancellation: 'falta pouco tempo para o início',
  no_show: 'a experiência já aconteceu',
} as const;

const INTENT = { cancel_reservation: 'cancelar', process_refund: 'reembolsar' } as const;

const verb = (intent: string): string => INTENT[intent as keyof typeof INTENT] ?? 'ver';

const STATUS: Record<string, string> = {
  reserved: 'reservada',
  attended: 'você foi',
  cancelled: 'cancelada',
  refunded: 'reembolsada',
  active: 'ativa',
  paused: 'pausada',
  paid: 'pago',
  failed: 'recusado',
  pending: 'pendente',
  processing: 'em andamento',
  completed: 'concluído',
};

const status = (value: string): string => STATUS[value] ?? value;

const PREFERENCE_KEY: Record<string, string> = { language: 'idioma', contact_method: 'forma de contato' };

const ACTIONS: Record<string, string> = {
  cancel_reservation: 'cancelar uma reserva',
  process_refund: 'reembolsar uma reserva',
  'update_subscription pause': 'pausar a assinatura',
  'update_subscription resume': 'reativar a assinatura',
  'update_subscription cancel': 'cancelar a assinatura',
};

const SUBSCRIPTION_CHANGE = {
  pause: 'a pausa',
  resume: 'a retomada',
  cancel: 'o cancelamento',
} as const;

const VALUES: Record<string, string> = {
  en: 'inglês',
  'pt-BR': 'português',
  email: 'e-mail',
  phone: 'telefone',
  whatsapp: 'WhatsApp',
};

const REFUSALS: Partial<Record<ErrorCode, string>> = {
  not_signed_in:
    'Só posso ver ou mudar dados da conta depois que você entrar. Faça o login e me peça de novo, por favor.',
  customer_blocked:
    'Sua conta está bloqueada no momento, então não posso mudar nada nela. Ainda posso tirar dúvidas, e nossa equipe pode rever o bloqueio.',
  not_found: 'Não encontrei isso entre as suas reservas.',
  already_done: 'Isso já foi feito, então não há mais nada a mudar.',
  already_refunded: 'Essa reserva já foi reembolsada; o reembolso é feito uma única vez.',
  not_upcoming: 'Essa experiência já começou ou já aconteceu, então não dá mais para cancelar.',
  attended: 'Você participou dessa experiência, então ela não pode ser cancelada nem reembolsada.',
  nothing_paid: 'Nada foi pago por essa reserva, então não há o que reembolsar.',
  wrong_status: 'Isso não é possível na situação atual.',
  policy_denied: 'Nossas regras não permitem uma pausa desse tamanho. Escolha uma mais curta, por favor.',
  pending_expired: 'Aquela pergunta expirou, então nada foi mudado. Peça de novo se ainda quiser.',
  pending_mismatch:
    'As condições mudaram desde a minha pergunta, então não fiz nada. Peça de novo, por favor.',
  input_too_large: 'Essa mensagem é longa demais para mim. Mande o principal em poucas frases, por favor.',
  scope_missing:
    'O programa que você está usando não recebeu o direito de ver ou mudar isso por você, e nada foi mudado. Você pode fazer isso em uma nova conversa no chat do CultPass.',
  confirmation_invalid:
    'Essa confirmação não pertence a este pedido, então nada foi mudado. Peça de novo se ainda quiser.',
  cancelled: 'O pedido foi retirado antes de ser executado, então nada foi mudado.',
  remote_unreachable:
    'Não consigo falar com o serviço que sabe disso no momento. Tente de novo daqui a pouco, por favor.',
  remote_refused: 'O serviço que sabe disso não aceitou o pedido, então não tenho a resposta dele.',
  remote_failed: 'O serviço que sabe disso não conseguiu concluir o pedido, então não tenho a resposta dele.',
  remote_bad_answer:
    'O serviço que sabe disso deu uma resposta que não posso usar, então não a repassei a você.',
  remote_forbidden_address:
    'Não posso falar com o serviço que deveria saber disso, então não perguntei nada a ele.',
};

const HANDED_OVER: Record<EscalationReason, string> = {
  requires_human: 'Isto precisa de uma pessoa, então passei para a nossa equipe com tudo o que você contou.',
  low_confidence:
    'Não tenho uma resposta segura para isto, então passei para a nossa equipe em vez de chutar.',
  customer_request: 'Claro. Passei você para a nossa equipe com tudo o que você contou.',
  sentiment_priority: 'Sinto muito pelo transtorno. Passei o caso para a nossa equipe com prioridade.',
  legal: 'Isto tem de ser tratado por uma pessoa, então passei para a nossa equipe com prioridade.',
  fault: 'Algo deu errado do nosso lado e nada mais foi mudado. Passei o caso para a nossa equipe.',
  hop_limit: 'Não consegui concluir isto sozinho, então passei para a nossa equipe.',
};

function nextStep({ by, outOfHours }: NextStep): string {
  const who = outOfHours ? 'Nosso atendimento está fechado no momento. Nossa equipe' : 'Nossa equipe';
  return by === null
    ? 'Nossa equipe responde por aqui assim que puder; sinto muito pela demora, que passou do normal.'
    : `${who} responde por aqui até ${by} (horário de Brasília).`;
}

/** Brazilian Portuguese. */
export const ptBr: Texts = {
  confirmCancel: ({ title, when, refund }) =>
    `Posso cancelar "${title}", ${when}? ${refundPart(refund)}, e a visita volta para o seu plano. Responda sim ou não.`,
  confirmCancelApproval: ({ title, when, refund, reason, hours }) =>
    `"${title}" é ${when}. ${
      reason === 'late_cancellation'
        ? `Faltam menos de ${hours} horas, então nossa equipe precisa concordar com o cancelamento${refund ? ` e com o reembolso de ${refund}` : ''}.`
        : `O reembolso de ${refund ?? 'valor'} precisa da aprovação da nossa equipe, porque ${APPROVAL_REASON[reason]}.`
    } Sua reserva fica como está até a decisão. Posso pedir a eles? Responda sim ou não.`,
  confirmRefund: ({ title, amount }) =>
    `Posso reembolsar ${amount} de "${title}" na forma de pagamento que você usou? Responda sim ou não.`,
  confirmRefundApproval: ({ title, amount, reason }) =>
    `O reembolso de ${amount} de "${title}" precisa da aprovação da nossa equipe, porque ${APPROVAL_REASON[reason]}. Posso pedir a eles? Responda sim ou não.`,
  confirmPause: ({ days, until, upcoming }) =>
    `Posso pausar sua assinatura por ${plural(days, 'dia', 'dias')}, até ${until}? Nesse período não há cobrança e não dá para fazer novas reservas.${upcomingStay(upcoming)} Você pode retomar quando quiser. Responda sim ou não.`,
  confirmResume: () =>
    'Posso reativar sua assinatura agora? A cobrança volta no próximo dia de pagamento e você já pode reservar. Responda sim ou não.',
  confirmCancelSubscription: ({ upcoming }) =>
    `Posso cancelar sua assinatura? Ela termina na hora para novas reservas, o mês atual não é reembolsado e seu histórico fica guardado.${upcomingStay(upcoming)} Se for só uma pausa, posso pausar em vez de cancelar. Responda sim ou não.`,
  waitingForApproval: () =>
    'Perguntei à nossa equipe. Em geral eles decidem em até um dia útil, e nada muda até lá. A resposta chega por aqui.',
  cancelled: ({ title, refund }) =>
    refund
      ? `Pronto: "${title}" foi cancelada e ${refund} está voltando para a sua forma de pagamento. A visita voltou para o seu plano.`
      : `Pronto: "${title}" foi cancelada e a visita voltou para o seu plano.`,
  refunded: ({ title, amount }) =>
    `Pronto: ${amount} de "${title}" está sendo reembolsado. No cartão leva de 5 a 10 dias úteis, no Pix até 2.`,
  paused: ({ until, upcoming }) =>
    `Pronto: sua assinatura está pausada até ${until}.${upcomingStay(upcoming)}`,
  resumed: () => 'Pronto: sua assinatura está ativa de novo.',
  subscriptionCancelled: ({ upcoming }) =>
    `Pronto: sua assinatura foi cancelada.${upcomingStay(upcoming)} Volte quando quiser.`,
  done: () => 'Pronto.',
  nothingChanged: () => 'Tudo bem, não mudei nada.',
  cancellationOf: ({ title, when }) => `o cancelamento de "${title}"${when ? `, ${when}` : ''}`,
  refundOf: ({ title }) => `o reembolso de "${title}"`,
  subscriptionChange: ({ change }) => `${SUBSCRIPTION_CHANGE[change]} da sua assinatura`,
  bookingStands: ({ title, when }) =>
    `Nada foi cancelado: a sua reserva de "${title}", ${when}, continua valendo.`,
  notRefunded: ({ title }) => `Nada foi reembolsado por "${title}", e nada mais foi mudado.`,
  subscriptionStands: ({ change }) =>
    change === 'resume'
      ? 'A sua assinatura não foi retomada: ela continua pausada.'
      : `A sua assinatura não foi ${change === 'pause' ? 'pausada' : 'cancelada'}: ela continua como antes.`,
  withdrawn: ({ unchanged }) => `Certo, retirei o seu pedido e avisei a nossa equipe. ${unchanged}`,
  doneBefore: ({ outcome, byTeam }) =>
    `${byTeam ? 'A nossa equipe já tinha concordado antes da sua mensagem, então não' : 'Não'} dá mais para retirar este pedido: ele já foi executado. ${outcome} Não consigo desfazer isso, mas posso pedir que uma pessoa veja o caso.`,
  closedBefore: () => 'Esse pedido já estava encerrado, e nada foi mudado.',
  stillWithTeam: ({ names, ifAgreed }) =>
    `A nossa equipe ainda não decidiu sobre ${names.join(' e ')}. Nada mudou até agora, e a resposta chega aqui.${ifAgreed === null ? '' : ` ${ifAgreed}`}`,
  refundIfAgreed: ({ refund }) =>
    refund ? `Se ela concordar, você recebe ${refund} de volta.` : 'Nada foi pago, então nada volta.',
  withdrawIt: ({ name }) =>
    `O seu pedido ainda está com a nossa equipe: ${name}. Quer que eu o retire, para que nada mude? Responda sim ou não, por favor.`,
  withdrawWhich: ({ list }) =>
    `Vários pedidos seus estão com a nossa equipe. Qual deles devo retirar?\n${list}`,
  operatorDeclined: ({ reason }) =>
    `Nossa equipe analisou e não pôde concordar${reason ? `: ${reason.replace(/[.!?\s]+$/, '')}.` : '.'} Nada foi mudado.`,
  nothingOpen: () => 'Não há nenhuma pergunta minha em aberto. Como posso ajudar?',
  preferenceSaved: ({ key, value }) =>
    `Anotado: ${PREFERENCE_KEY[key] ?? key} agora é ${VALUES[value] ?? value}.`,
  whichReservation: ({ intent, list }) => `Qual delas você quer ${verb(intent)}?\n${list}`,
  noSuchReservation: ({ mentioned, list }) =>
    list
      ? `Não encontrei "${mentioned}" entre as suas reservas. Pode ser uma destas:\n${list}`
      : `Não encontrei "${mentioned}" entre as suas reservas.`,
  noReservationsFor: ({ intent }) => `Você não tem nenhuma reserva que eu possa ${verb(intent)}.`,
  answerYesOrNo: ({ question }) => `Quero ter certeza antes de fazer qualquer coisa. ${question}`,
  reminder: ({ question }) => `A propósito, isto ainda está em aberto: ${question}`,
  questionExpired: () => 'Minha pergunta anterior expirou, então nada foi mudado.',
  answerCut: () =>
    'A minha resposta ficou longa demais, por isso paro por aqui. Pergunte sobre a parte de que precisa.',
  clarify: () =>
    'Não entendi bem do que você precisa. É sobre uma reserva, sua assinatura, um pagamento ou como algo funciona? Algumas palavras a mais ajudam.',
  emptyMessage: () => 'Sua mensagem chegou vazia. Como posso ajudar?',
  reservations: ({ upcoming, past }) =>
    upcoming || past
      ? [
          upcoming ? `Suas próximas reservas:\n${upcoming}` : 'Você não tem próximas reservas.',
          past ? `Anteriores:\n${past}` : '',
        ]
          .filter(Boolean)
          .join('\n\n')
      : 'Você ainda não tem reservas.',
  reservationLine: ({ title, when, place, status: value }) =>
    `${title}, ${when}, ${place}${value === 'reserved' ? '' : ` (${status(value)})`}`,
  subscription: ({ status: value, tier, quota, since, ended }) =>
    `Você está no plano ${tier}, com ${plural(quota, 'visita', 'visitas')} por mês. Ele está ${
      { active: 'ativo', paused: 'pausado', cancelled: 'cancelado' }[value] ?? value
    }, começou em ${since}${ended ? (value === 'paused' ? ` e volta em ${ended}` : ` e terminou em ${ended}`) : ''}.`,
  noSubscription: () => 'Você não tem uma assinatura.',
  visitsLeft: ({ remaining, quota, used, resets, status: value }) =>
    `Você ainda tem ${plural(remaining, 'visita', 'visitas')} neste mês (${used} de ${quota} ${used === 1 ? 'usada' : 'usadas'}). A contagem recomeça em ${resets}.${
      value === 'active' ? '' : ` Sua assinatura está ${status(value)}, então não dá para reservar agora.`
    }`,
  profile: ({ name, email, since, preferences }) =>
    `Seu cadastro está em nome de ${name}, com ${email}, desde ${since}.${preferences ? ` Preferências: ${preferences}.` : ''}`,
  payments: ({ list }) => (list ? `Seus últimos pagamentos:\n${list}` : 'Não há pagamentos na sua conta.'),
  paymentLine: ({ date, amount, what, status: value }) =>
    `${date}: ${amount}, ${what ?? 'assinatura'} (${status(value)})`,
  refunds: ({ list }) =>
    list
      ? `Seus reembolsos:\n${list}\nNo cartão leva de 5 a 10 dias úteis, no Pix até 2.`
      : 'Não há reembolso na sua conta.',
  refundMissing: ({ title, amount, offer }) =>
    `Você pagou ${amount} por "${title}", que foi cancelada, e nenhum reembolso foi feito. ${offer ? 'Quer que eu reembolse agora?' : 'Você pode pedir o reembolso no chat do CultPass.'}`,
  blocked: () => REFUSALS.customer_blocked ?? '',
  seeAlso: ({ titles }) => `Talvez ajude também: ${titles}.`,
  identity: () =>
    'Sou o assistente de atendimento da CultPass, um programa. Tiro dúvidas, consulto suas reservas e seu plano, e cancelo, reembolso ou pauso para você. Nossa equipe assume sempre que você pedir uma pessoa.',
  refundLine: ({ title, amount, date, status: value }) =>
    `${title}: ${amount}, feito em ${date} (${status(value)})`,
  greeting: ({ name, lastTopic }) =>
    `Olá${name ? `, ${name}` : ''}! ${lastTopic ? `Da última vez falamos disto: ${lastTopic} ` : ''}Como posso ajudar com a CultPass hoje?`,
  thanks: () => 'De nada! Posso ajudar em mais alguma coisa?',
  goodbye: () => 'Obrigado pelo contato. Aproveite a próxima experiência!',
  acknowledge: () => 'Sinto muito por isso, entendo que é frustrante.',
  unsupportedLanguage: () => 'I can answer in English and Portuguese only, so I am answering in English.',
  signIn: () => REFUSALS.not_signed_in ?? '',
  experiences: ({ list, exact }) =>
    list
      ? `${exact ? 'Foi isto que encontrei' : 'Não encontrei nada exatamente assim. Também está em cartaz'}:\n${list}`
      : 'Não encontrei nada na programação. Tente outra cidade, data ou palavra.',
  experienceLine: ({ title, when, place, price, premium, slots }) =>
    `${title}, ${when}, ${place}: ${price ? `${price} à parte` : 'incluída no plano'}${premium ? ', Premium' : ''}${
      slots === 0 ? ', esgotada (lista de espera)' : ''
    }`,
  handedOver: ({ reason }) => HANDED_OVER[reason],
  escalated: ({ reason, ...next }) => `${HANDED_OVER[reason]} ${nextStep(next)}`,
  joined: (next) =>
    `Juntei isto ao seu pedido que já está com a nossa equipe, então não precisa escrever de novo. ${nextStep(next)}`,
  withColleague: ({ name, back }) =>
    `${
      name === null
        ? 'Sua conversa está com a nossa equipe, que já tem a sua mensagem. Vão responder por aqui.'
        : `${name}, da nossa equipe, está cuidando da sua conversa e vai responder por aqui.`
    }${back === null ? '' : ` Nosso atendimento está fechado no momento; a equipe volta ${back} (horário de Brasília).`}`,
  closedBy: ({ name }) =>
    `${name}, da nossa equipe, encerrou este pedido. Se ainda faltar alguma coisa, é só escrever aqui de novo.`,
  notAgain: () =>
    'Um colega já olhou isto e devolveu a conversa para mim, e sozinho não consigo fazer mais nada a respeito. Se quiser que uma pessoa olhe de novo, é só escrever "quero falar com uma pessoa".',
  approvalExpired: () =>
    'O que eu tinha pedido à nossa equipe expirou antes de uma decisão, então nada foi mudado. Sinto muito. Se ainda quiser, é só me pedir de novo.',
  operatorChanged: ({ question }) =>
    `A nossa equipe olhou o pedido e sugere outra coisa no lugar; nada foi mudado até agora. ${question}`,
  askedByProgram: ({ protocol, what }) =>
    `Por um programa que conectei à minha conta (${protocol}): ${what}.`,
  answeredByProgram: ({ protocol, approved }) =>
    `${approved ? 'Sim' : 'Não'}. (Resposta dada por um programa conectado, ${protocol}.)`,
  actionName: (name) => ACTIONS[name] ?? name.replaceAll('_', ' '),
  refusal: (code) => REFUSALS[code] ?? 'Isso não funcionou, e nada foi mudado.',
};
