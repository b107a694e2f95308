import type { Language } from '../../../core/domain/taxonomy.js';

/** What the terminal itself says, around the hub's answers. */
interface ChatWords {
  banner(company: string, who: string | null, offline: boolean): string;
  help: string;
  sources: string;
  confirm: string;
  approval(id: string): string;
  approved(id: string): string;
  rejected(id: string): string;
  escalated: string;
  unknownCommand(word: string): string;
  usageApprove: string;
  prompt: string;
  goodbye: string;
}

const en: ChatWords = {
  banner: (company, who, offline) =>
    [
      `${company} support`,
      who === null
        ? 'Not signed in: general questions are answered, account matters are not (--as EMAIL signs in).'
        : `Signed in as ${who}.`,
      ...(offline
        ? ['Offline mode: no model provider is used; answers come from rules and trained classifiers.']
        : []),
      '/help lists the commands, Ctrl-D leaves.',
    ].join('\n'),
  help: [
    'Write to the support and press Enter. A question is answered in plain words (yes, no, which one).',
    '  /approve ID          as an operator: allow a waiting action',
    '  /reject ID REASON    as an operator: refuse it',
    '  /help                this list',
    '  /quit                leave (or Ctrl-D, Ctrl-C)',
  ].join('\n'),
  sources: 'Sources',
  confirm: 'Waiting for your answer: yes or no',
  approval: (id) => `Waiting for an operator: /approve ${id} or /reject ${id} REASON`,
  approved: (id) => `${id} is approved.`,
  rejected: (id) => `${id} is rejected.`,
  escalated: 'Passed to a person of our team',
  unknownCommand: (word) => `There is no command ${word}; /help lists them.`,
  usageApprove: 'Give the id of what is waiting: /approve ID or /reject ID REASON',
  prompt: 'you> ',
  goodbye: 'Goodbye.',
};

const ptBr: ChatWords = {
  banner: (company, who, offline) =>
    [
      `Atendimento ${company}`,
      who === null
        ? 'Sem login: dúvidas gerais são respondidas, assuntos de conta não (--as EMAIL faz o login).'
        : `Conectado como ${who}.`,
      ...(offline
        ? [
            'Modo offline: nenhum provedor de modelos é usado; as respostas vêm de regras e classificadores treinados.',
          ]
        : []),
      '/help lista os comandos, Ctrl-D sai.',
    ].join('\n'),
  help: [
    'Escreva para o atendimento e tecle Enter. Perguntas se respondem com palavras comuns (sim, não, qual).',
    '  /approve ID          como operador: permite uma ação em espera',
    '  /reject ID MOTIVO    como operador: recusa a ação',
    '  /help                esta lista',
    '  /quit                sai (ou Ctrl-D, Ctrl-C)',
  ].join('\n'),
  sources: 'Fontes',
  confirm: 'Esperando sua resposta: sim ou não',
  approval: (id) => `Esperando um operador: /approve ${id} ou /reject ${id} MOTIVO`,
  approved: (id) => `${id} foi aprovado.`,
  rejected: (id) => `${id} foi recusado.`,
  escalated: 'Encaminhado a uma pessoa da nossa equipe',
  unknownCommand: (word) => `Não existe o comando ${word}; /help mostra a lista.`,
  usageApprove: 'Informe o id do que está em espera: /approve ID ou /reject ID MOTIVO',
  prompt: 'você> ',
  goodbye: 'Até logo.',
};

/** The terminal's words in a language. */
export function chatWords(language: Language): ChatWords {
  return language === 'pt-BR' ? ptBr : en;
}
