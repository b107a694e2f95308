import type { Language } from '../domain/taxonomy.js';

/** Sentences about who answers: agents elsewhere, and the one agent that a program has addressed. */
export interface AgentTexts {
  /** What an agent elsewhere answered, and that it is theirs. */
  says(value: { agent: string; text: string }): string;
  /** What it wants to know. */
  asks(value: { agent: string; text: string }): string;
  /** It could not be reached, or gave nothing of use. */
  noAnswer(value: { agent: string }): string;
  /** The connection broke; it may have done what was asked. */
  maybeDone(value: { agent: string }): string;
  /**
   * The agent that was addressed says what it is for.
   * @param value.other who does what was asked for; null where nothing certain was
   */
  only(value: { agent: string; other: string | null }): string;
}

const EN_PURPOSE: Readonly<Record<string, string>> = {
  knowledge: 'Here I answer general questions: rules, prices, how things work, and what is on.',
  account: 'Here I answer questions about your own bookings, plan, visits, payments and refunds.',
  action:
    'Here I make changes for you: I cancel bookings, make refunds, and pause, resume or cancel the plan.',
  investigation: 'Here I find out why something does not work for you.',
};

const PT_PURPOSE: Readonly<Record<string, string>> = {
  knowledge:
    'Aqui eu respondo perguntas gerais: regras, preços, como as coisas funcionam e o que está em cartaz.',
  account: 'Aqui eu respondo sobre as suas reservas, plano, visitas, pagamentos e reembolsos.',
  action:
    'Aqui eu faço mudanças para você: cancelo reservas, faço reembolsos e pauso, retomo ou cancelo o plano.',
  investigation: 'Aqui eu descubro por que algo não funciona para você.',
};

const en: AgentTexts = {
  says: ({ agent, text }) => `${agent} says:${gap(text)}${text}`,
  asks: ({ agent, text }) => `${agent} asks:${gap(text)}${text}`,
  noAnswer: ({ agent }) =>
    `I asked ${agent}, a service outside CultPass, and got no answer from it that I can use.`,
  maybeDone: ({ agent }) =>
    `I asked ${agent}, a service outside CultPass, and the connection broke before it answered. It may have done what you asked all the same, so I have not sent it again.`,
  only: ({ agent, other }) =>
    [
      EN_PURPOSE[agent] ?? 'Here I cannot do that.',
      other === null
        ? 'For anything else, write to the CultPass hub.'
        : `For what you ask, write to the agent "${other}" or to the CultPass hub.`,
    ].join(' '),
};

const pt: AgentTexts = {
  says: ({ agent, text }) => `${agent} diz:${gap(text)}${text}`,
  asks: ({ agent, text }) => `${agent} pergunta:${gap(text)}${text}`,
  noAnswer: ({ agent }) =>
    `Perguntei a ${agent}, um serviço de fora do CultPass, e não recebi uma resposta que eu possa usar.`,
  maybeDone: ({ agent }) =>
    `Perguntei a ${agent}, um serviço de fora do CultPass, e a conexão caiu antes da resposta. Pode ser que ele tenha feito o que você pediu, então não enviei de novo.`,
  only: ({ agent, other }) =>
    [
      PT_PURPOSE[agent] ?? 'Aqui eu não consigo fazer isso.',
      other === null
        ? 'Para qualquer outra coisa, escreva ao hub do CultPass.'
        : `Para o que você pede, escreva ao agente "${other}" ou ao hub do CultPass.`,
    ].join(' '),
};

/** What is one line stays on the line of its introduction. */
function gap(text: string): string {
  return text.includes('\n') ? '\n\n' : ' ';
}

/** These sentences in a language. */
export function agentTextsFor(language: Language): AgentTexts {
  return language === 'pt-BR' ? pt : en;
}
