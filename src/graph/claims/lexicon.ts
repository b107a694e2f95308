const set = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/));

/** People of a rank or trade, whom a source has to name. */
export const ROLES = set(
  'manager managers supervisor supervisors specialist specialists director coordinator engineer technician lawyer boss head executive gerente gerentes supervisora especialista especialistas diretor diretora coordenador coordenadora tecnico tecnica advogado advogada chefe gestor gestora',
);

/** What is counted, by any of its names, folded and in the singular. */
const COUNTED = [
  'visit visita outing saida quota ingresso saidas experience',
  'reservation booking reserva agendamento reservas bookings',
  'payment charge pagamento cobranca fee mensalidade tentativa line',
  'refund reembolso estorno devolucao',
  'attempt try tentativa tentativas',
  'remaining left',
];
const COUNTED_OF: ReadonlyMap<string, string> = new Map(
  COUNTED.flatMap((line) =>
    line.split(' ').map((word): [string, string] => [word, line.split(' ')[0] ?? word]),
  ),
);

/** One name for what is counted. @param word folded */
export function countedAs(word: string): string {
  const singular = word.length > 3 ? word.replace(/s$/, '') : word;
  return COUNTED_OF.get(word) ?? COUNTED_OF.get(singular) ?? singular;
}
