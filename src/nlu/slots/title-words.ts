/** Words of a title that everybody uses: they may point at an item only when nothing else could be meant. */
export const GENERIC = new Set(
  `booking reservation ticket tickets show shows concert event experience visit tour session night day evening afternoon morning live special edition festival party workshop class exhibition exhibit museum
   theatre theater gallery music art arts dance cinema film movie play opera walk course lecture talk festival jazz_ world new old great grand big small first last best open free guided city national modern contemporary classic family weekend
   brazilian brazil rio sao paulo santa casa centro center centre park garden house hall palace square street
   today tomorrow tonight yesterday monday tuesday wednesday thursday friday saturday sunday
   reserva ingresso ingressos evento experiencia visita passeio sessao noite dia tarde manha ao vivo especial edicao festa oficina aula exposicao mostra museu teatro galeria musica arte artes danca filme peca caminhada curso palestra
   novo nova grande melhor livre guiada cidade nacional moderna moderno contemporanea familia parque jardim praca rua hoje amanha ontem segunda terca quarta quinta sexta sabado domingo`.split(
    /\s+/,
  ),
);

/** Words that carry no meaning of their own in a title. */
export const SMALL = new Set(
  `the a an of at in on to for and or with by from de da do das dos e em no na nos nas o os as ao aos a com por para um uma com del la el vs`.split(
    /\s+/,
  ),
);

/** One kind of thing said in two languages or several ways; the first word stands for all. */
const KINDS = `museum museums museu museus museo | theatre theater theatres theaters teatro teatros | concert concerts concerto concertos | show shows | exhibition exhibitions exhibit exhibits exposicao exposicoes expo mostra
 | dance danca dancing | night noite nights | workshop workshops oficina oficinas | garden gardens jardim jardins | art arts arte artes | modern moderna moderno | orchestra orquestra | symphony symphonic sinfonia sinfonica
 | photography photo photos fotografia foto fotos | gallery galeria galerias | walk walking caminhada | history historia historic historico historica | film films movie movies filme filmes | play plays peca | ballet bale
 | choir choral coral coro | street rua | music musica | poetry poesia poems | puppet puppets marionete marionetes fantoche fantoches bonecos | circus circo | cooking cook culinaria gastronomia food | house casa
 | market mercado | festival festivals | tour tours passeio | opera operas | cinema cine | comedy comedia standup | book books livro livros literature literatura literary literario | colonial | church igreja | park parque
 | science ciencia ciencias | football futebol soccer | coffee cafe | indigenous indigena indigenas | african africana africano afro | baroque barroco barroca | contemporary contemporanea contemporaneo | popular | northeast nordeste nordestino
 | sunset por-do-sol | drum drums percussion percussao tambor tambores | guitar violao guitarra | light lights luz luzes | piano pianos | language lingua | sea mar ocean oceano | future amanha_ futuro | sound som sounds sons | forest floresta mata
 | children kids infantil criancas kid | sculpture sculptures escultura esculturas | painting paintings pintura pinturas | river rio_ | classical classica classico | carnival carnaval | lunch almoco | breakfast cafe-da-manha`;

const KIND_OF: ReadonlyMap<string, string> = new Map(
  KINDS.split('|').flatMap((line) => {
    const words = line.trim().split(/\s+/);
    return words.map((word) => [word, words[0] ?? word] as const);
  }),
);

/** The form under which a word is compared: its kind, or the word without a plural s. */
export function stem(word: string): string {
  const bare = word.replace(/'s$/, '');
  return (
    KIND_OF.get(bare) ??
    (bare.length > 4 && bare.endsWith('s') && !bare.endsWith('ss') ? bare.slice(0, -1) : bare)
  );
}

/** Short names of places. */
export const PLACES: Readonly<Record<string, readonly string[]>> = {
  rio: ['rio', 'janeiro'],
  rj: ['rio', 'janeiro'],
  sp: ['sao', 'paulo'],
  sampa: ['sao', 'paulo'],
  bh: ['belo', 'horizonte'],
  poa: ['porto', 'alegre'],
  bsb: ['brasilia'],
  floripa: ['florianopolis'],
  cwb: ['curitiba'],
  ssa: ['salvador'],
  masp: ['masp'],
};

/** Ordinary words of support messages, never a slip of a title word. */
export const ORDINARY = new Set(
  `cancel cancelled canceled booking bookings please thanks about which would could should there their where refund money ticket tickets still visit visits month wants wanted check email phone account change changed other another first second third fourth fifth night right paid charged
   subscription reservation reservations experience museum theatre concert event events today tomorrow cannot doesn really because before after again never maybe help need want have going attend
   cancela cancelar cancele cancelei reserva reservas favor quero queria gostaria preciso minha minhas essa esse aquela aquele ainda ingresso ingressos evento eventos visita visitas reembolso dinheiro conta assinatura outra outro primeira segunda terceira quarta quinta sexta sabado domingo obrigado obrigada porque depois antes agora nunca pagar paguei comprei estava posso pode nao
   sunday monday tuesday wednesday thursday friday saturday sundays mondays fridays weekend tonight yesterday january february march april june july august september october november december weeks months
   domingo amanha ontem semana janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro favor ultima ultimo proxima proximo terceira`.split(
    /\s+/,
  ),
);
