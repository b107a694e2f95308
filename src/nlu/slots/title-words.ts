/** Words of a title that everybody uses: they may point at an item only when nothing else could be meant. */
export const GENERIC = new Set(
  `night day evening afternoon morning live special edition new old great grand big small first last best open free guided city national modern contemporary classic family weekend
   today tomorrow tonight yesterday monday tuesday wednesday thursday friday saturday sunday
   noite dia tarde manha ao vivo especial edicao novo nova grande melhor livre guiada cidade nacional moderna moderno contemporanea familia
   hoje amanha ontem segunda terca quarta quinta sexta sabado domingo`.split(/\s+/),
);

/** Words that carry no meaning of their own in a title. */
export const SMALL = new Set(
  `the a an of at in on to for and or with by from de da do das dos e em no na nos nas o os as ao aos a com por para um uma com del la el vs`.split(
    /\s+/,
  ),
);

/** Ordinary words of support messages, never a slip of a title word. */
export const ORDINARY = new Set(
  `cancel cancelled canceled please thanks about which would could should there their where refund money still month wants wanted check email phone account change changed other another first second third fourth fifth night right paid charged
   today tomorrow cannot doesn really because before after again never maybe help need want have going attend
   cancela cancelar cancele cancelei favor quero queria gostaria preciso minha minhas essa esse aquela aquele ainda reembolso dinheiro conta outra outro primeira segunda terceira quarta quinta sexta sabado domingo obrigado obrigada porque depois antes agora nunca pagar paguei comprei estava posso pode nao
   sunday monday tuesday wednesday thursday friday saturday sundays mondays fridays weekend tonight yesterday january february march april june july august september october november december weeks months
   domingo amanha ontem semana janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro favor ultima ultimo proxima proximo terceira`.split(
    /\s+/,
  ),
);
