/** Function words and short answers that tell the languages apart, folded; words that two of them share are left out. */
export const LANGUAGE_WORDS: Readonly<Record<'en' | 'pt' | 'es', string>> = {
  en: `the is are was were am be been being and or but if not you your yours my mine me we our they their them it its this that these
    those there here what when where who why how which can could would should will shall may might must do does did done have has had
    having with without for from of off at by into about after before because since until while want need like get got give please
    thanks thank hello hi hey yes yeah yep sure okay help cancel refund order account card charged money again
    still already never always someone anyone nothing something i'm i an on in to no nope cheers mate up out down over just very too also then than any
    some more most other another new last next first second today tomorrow yesterday week month year show tell let make made know
    think see look find come go going went good bad best worst great bye goodbye morning afternoon evening sorry pay paid buy
    login log sign password email phone website broken working work works error wrong problem issue price cost plan plans my`,
  pt: `nao sim voce voces eu ele ela eles elas nos meu minha meus minhas seu sua seus suas um uma uns umas na nas do da dos das ao aos
    pelo pela pelos pelas com no sem para por que porque quem quando onde qual quais quanto quanta quantos quantas isso isto esse essa
    esses essas aquele aquela aquilo estou esta estao estava estava sou sao era eram foi foram fui ser estar ter tenho tem temos tinha
    tive teve haver fazer faco faz fiz fez posso pode podem consigo consegue quero queria quer gostaria preciso precisa vou vai vao ir
    muito muita mais menos ja ainda tambem agora hoje amanha ontem aqui ali la depois antes ate desde entre sobre bem bom boa oi ola
    obrigado obrigada valeu tchau beleza tudo nada algo alguem ninguem cade pedido conta dinheiro cartao
    cobranca reembolso cancelar cancela senha atendente ajuda dia tarde noite semana mes ano favor gente cara mano entao assim so como
    deu dar da vamos fiquei ficar minutos telefone nota boleto gente me te confirmado operador ver saber sei acho falar ligar mandar manda fala opa uhum aham claro certo errado isso mesmo nem tchau`,
  es: `el los las una unos unas y pero porque quiero quiere puedo puede pueden necesito tengo tiene tienen hay estoy esta estan soy
    eres somos fue fueron hola gracias buenos buenas dias tardes noches usted ustedes mi mis su sus tu nuestro como cuando donde cual
    cuanto cuanta quien muy mas tambien ahora hoy manana ayer aqui despues hasta desde sobre con sin para por del al lo le les se
    entrada entradas cuenta dinero tarjeta reembolso cancelar contrasena ayuda correo pedido bien todavia nunca siempre
    alguien nadie nada algo hacer hago hizo puedes quisiera gustaria ya aun este esto eso esa ese ser estar tener ir voy me te deja dejan devuelven buenas
    compra pago pagar suscripcion hablar agente persona problema devolver devolucion`,
};

/** Letters and endings that only one of the languages writes. */
export const LANGUAGE_MARKS: Readonly<Record<'pt' | 'es', RegExp>> = {
  pt: /[ãõ]|ç|\p{L}(?:ção|ções|nh[ao]|lh[aoe])(?!\p{L})/giu,
  es: /[ñ¿¡]|\p{L}(?:ción|ciones|dad)(?!\p{L})/giu,
};
