import { afterEach, beforeEach, describe, it } from 'vitest';
import { type Hub, openHub } from '../../support/hub.js';
import { converse, type Line } from './converse.js';

const ANA = 'ana.souza@example.com';
const JOAO = 'joao.cardoso@example.com';
const PAULO = 'paulo.santos@example.com';
const BEATRIZ = 'beatriz.fonseca@example.com';
const LUCAS = 'lucas.monteiro@example.com';
const WAGNER = 'wagner.pinto@example.com';
const DIEGO = 'diego.ferreira@example.com';
const RAFAELA = 'rafaela.martins@example.com';
const ISABELA = 'isabela.teixeira@example.com';
const CARLA = 'carla.mendes@example.com';
const NELSON = 'nelson.duarte@example.com';
const GABRIELA = 'gabriela.nunes@example.com';
const SERGIO = 'sergio.almeida@example.com';
const BRUNO = 'bruno.lima@example.com';
const FELIPE = 'felipe.araujo@example.com';
const ZELIA = 'zelia.moreira@example.com';
const MARIANA = 'mariana.pires@example.com';
const KARINA = 'karina.alves@example.com';
const HENRIQUE = 'henrique.barbosa@example.com';
const TATIANA = 'tatiana.ribeiro@example.com';

let hub: Hub;
beforeEach(async () => {
  hub = await openHub();
});
afterEach(() => hub.close());

/** Each in a conversation of its own. */
async function each(cases: readonly (readonly [string, ...Line])[]): Promise<void> {
  for (const [email, ...line] of cases) await converse(hub, email, [line]);
}

describe('a payment that was refused', () => {
  it('[DLG-110] is told with the one that made good for it, and nothing that was paid is called open', async () => {
    const settled = {
      says: ['The Little Prince', 'R$ 40.00', 'second one'],
      saysNot: ['nothing was taken'],
    };
    await converse(hub, BEATRIZ, [
      ['why did my payment fail??', settled],
      [
        'you just said the payment failed and now that i paid it. which is it?',
        { ...settled, saysNot: ['no refused payment'] },
      ],
    ]);
    await each([
      [BEATRIZ, 'was any payment of mine declined?', settled],
      [
        BEATRIZ,
        'por que meu pagamento foi recusado?',
        { says: ['R$ 40,00', 'aprovada'], saysNot: ['nada foi debitado'] },
      ],
      [LUCAS, 'why did my payment fail', { says: [/refused.*so nothing was taken/] }],
    ]);
  });
});

describe('a fee that was charged after the end of the plan', () => {
  it('[DLG-111] is seen by who looks at the last charge or the end of the plan, and goes to a person at once', async () => {
    const late = { says: [/ended on/, 'R$ 119.90', 'not due'], escalated: 'requires_human' };
    await each([
      [WAGNER, 'did my cancellation go through?', { ...late, says: [/^Yes/, ...late.says] }],
      [WAGNER, 'why was i charged on the last one', late],
      [WAGNER, 'what was my last charge', late],
      [WAGNER, 'did you charge me after I cancelled?', late],
      [
        WAGNER,
        'minha assinatura foi cancelada mesmo?',
        { says: [/^Sim/, 'não era devida'], escalated: 'requires_human' },
      ],
    ]);
  });
});

describe('whether the plan is over', () => {
  it('[DLG-112] is answered with a yes or a no first', async () => {
    await each([
      [
        DIEGO,
        'did my cancellation go through?',
        { says: [/^Yes, .*ended on/], saysNot: ['You are on'], escalated: null },
      ],
      [DIEGO, 'meu cancelamento deu certo?', { says: [/^Sim, .*terminou/] }],
      [ANA, 'has my subscription been cancelled?', { says: [/^No, .*active/] }],
      [ANA, 'minha assinatura foi encerrada?', { says: [/^Não, .*ativa/] }],
      [CARLA, 'is my membership cancelled now?', { says: [/^No, .*paused/] }],
    ]);
  });
});

describe('what the customer has been to', () => {
  it('[DLG-113] is told of the past, the last one alone where that is asked, and never of what is ahead', async () => {
    const past = { saysNot: ['still stand', 'upcoming'] };
    await each([
      [
        DIEGO,
        'What did I go to see with you last?',
        { ...past, says: [/last experience you have been to: Inhotim/] },
      ],
      [
        DIEGO,
        'qual foi o último evento a que eu fui?',
        { says: [/última experiência a que você foi: Inhotim/] },
      ],
      [PAULO, 'what did I go to this month?', { ...past, says: [/been to|no visit of yours/] }],
      [PAULO, 'em que eu fui este mês?', { says: [/já foi a|nenhuma visita/] }],
    ]);
  });
});

describe('what was booked before the plan ended', () => {
  it('[DLG-114] stays valid, and its code works', async () => {
    await each([
      [
        DIEGO,
        'that rock concert, will my code still work now that I have left?',
        { says: [/^Yes/, 'Rock Gaúcho'] },
      ],
      [
        DIEGO,
        'can I still use my booking for the rock anniversary although I cancelled?',
        { says: [/^Yes/] },
      ],
      [DIEGO, 'meu código ainda funciona agora que eu saí?', { says: [/^Sim/, 'Rock Gaúcho'] }],
    ]);
  });
});

describe('what was asked of the team in another conversation', () => {
  it('[DLG-115] is told with its day and that it is not decided, and of nothing else that is named', async () => {
    await converse(hub, RAFAELA, [
      ['cancel my National Museum visit', { pending: 'confirmation' }],
      ['yes', { pending: 'approval' }],
    ]);
    const open = { says: ['Not yet', 'National Museum', 'has not decided', '11 March'], cites: null };
    await each([
      [RAFAELA, 'hi, forgot what i asked you earlier, did the team answer about my cancellation?', open],
      [RAFAELA, 'what is the status of my cancellation of the National Museum visit?', open],
      [RAFAELA, 'has my cancellation been approved yet?', open],
      [RAFAELA, 'a equipe já respondeu sobre o meu cancelamento?', { says: ['Ainda não', 'não decidiu'] }],
      [ANA, 'did the team answer about my cancellation?', { saysNot: ['National Museum'] }],
    ]);
  });
});

describe('the wish for a smaller plan', () => {
  it('[DLG-116] is answered from the record: no plan, the smallest already, or how it is done; never with an upgrade', async () => {
    const down = { saysNot: [/[Uu]pgrade/, 'pro-rata', 'proporcional'], escalated: null };
    await each([
      [
        ISABELA,
        "I'd like to downgrade to the cheaper one",
        { ...down, says: [/do not have a subscription/] },
      ],
      [PAULO, "I'd like to downgrade", { ...down, says: ['on Basic already'] }],
      [PAULO, 'quero mudar pro plano mais barato', { ...down, says: ['já está no Basic'] }],
      [DIEGO, 'can you move me to the cheaper plan', { ...down, says: ['no plan at the moment'] }],
      [
        ANA,
        'move me down to basic',
        { ...down, says: ['Profile > Plan > Change plan', 'from the next month'] },
      ],
      [ANA, 'quero baixar para o básico', { ...down, says: ['Mudar de plano', 'mês seguinte'] }],
    ]);
  });
});

describe('figures of the record', () => {
  it('[DLG-117] of a later month are those of that month, with a yes or a no to who expects a number', async () => {
    await each([
      [ANA, 'so for april i have 5 again, right?', { says: [/^Yes/, '1 April', '5 visits'] }],
      [ANA, 'so for april i have 7, right?', { says: [/^No/, '5 visits'] }],
      [ANA, 'quantas visitas vou ter em abril?', { says: ['1 de abril', '5 visitas'] }],
      [PAULO, 'how many visits will I have next month?', { says: ['1 April', '2 visits'] }],
    ]);
  });

  it('[DLG-118] tell until when the plan runs, and what the last fee was', async () => {
    await each([
      [
        PAULO,
        'Could you kindly tell me which plan I am on and until when?',
        { says: ['Basic', 'no end date'] },
      ],
      [PAULO, 'qual é o meu plano e até quando vale?', { says: ['Basic', 'não tem data'] }],
      [
        NELSON,
        'How much was the last monthly fee I paid?',
        { says: [/^Your last monthly fee was R\$ 59\.90, on/] },
      ],
    ]);
  });

  it('[DLG-119] say what was cancelled where there is no refund, and that no payment comes near an amount', async () => {
    await converse(hub, JOAO, [
      [
        "where's my refund",
        { says: ['no refund on your account', 'Capoeira', 'nothing was paid'], escalated: null },
      ],
      ['it was the other one, the expensive one, I paid like 90', { says: ['no payment near R$ 90.00'] }],
    ]);
    await converse(hub, JOAO, [
      ['cadê meu reembolso?', { says: ['Não há reembolso', 'Capoeira'] }],
      ['foi o outro, o caro, paguei uns 90 reais', { says: ['Não vejo pagamento perto de R$ 90,00'] }],
    ]);
  });
});

describe('one payment or refund that is meant by its amount, its day or what it was for', () => {
  it('[DLG-165] has its refund told alone, with the days by which it comes, and why it was made', async () => {
    await converse(hub, GABRIELA, [
      [
        'the 210 you sent back, is it here by Friday?',
        { says: ['R$ 210.00', 'Late Jazz', '12 March', '24 March'], saysNot: ['Manguebeat', 'Auto da'] },
      ],
      ['what was it refunded for?', { says: ['R$ 210.00', 'Late Jazz', 'was cancelled'] }],
    ]);
    await each([
      [GABRIELA, 'why did i get 40 back', { says: ['Little Prince', 'was cancelled'], escalated: null }],
      [
        GABRIELA,
        'when does the R$ 65 for the Auto da Compadecida get back to my card?',
        { says: ['R$ 65.00', '9 March', '23 March'] },
      ],
      [RAFAELA, 'i never got the 320 of Giselle', { says: ['no refund has been made', 'refund it now'] }],
      [
        TATIANA,
        'meu reembolso de inhotim não apareceu no cartão até hoje',
        { says: ['R$ 95,00', 'comprovante'], escalated: 'requires_human' },
      ],
    ]);
  });

  it('[DLG-166] is said to be owed or not, yes or no first', async () => {
    await each([
      [
        SERGIO,
        'it says my ballet ticket payment failed, do i still owe the 320?',
        { says: [/^No: .*refused, but R\$ 320\.00 for "Giselle/] },
      ],
      [
        LUCAS,
        'o pagamento da música eletrônica foi recusado, ainda devo ele?',
        { says: [/^Não: .*R\$ 50,00 por "Minas/] },
      ],
      [LUCAS, 'do I owe you something?', { says: [/^Yes: R\$ 59\.90 for your monthly fee/] }],
      [BEATRIZ, 'tenho alguma pendência com vocês?', { says: [/^Não, não há nada em aberto/] }],
      [BEATRIZ, 'my two payments that failed, which were they?', { says: ['R$ 40.00', 'R$ 30.00'] }],
    ]);
  });

  it('[DLG-167] is explained to who asks why, and a person gives back what stands twice', async () => {
    await each([
      [ANA, 'why was i charged 60 this month?', { says: [/^R\$ 60\.00 on 6 March.*extra price of "Samba/] }],
      [ANA, 'por que cobraram 119,90 esse mês', { says: ['a mensalidade do seu plano Premium'] }],
      [WAGNER, 'why was I charged on March 10?', { says: ['not due'], escalated: 'requires_human' }],
      [
        FELIPE,
        'why was I charged 119.90 on the 8th?',
        { says: ['stands twice'], escalated: 'requires_human' },
      ],
    ]);
  });

  it('[DLG-168] is not said to be of a card or of Pix, which no record shows, and names the place that does', async () => {
    await converse(hub, BRUNO, [
      ['o que foi essa cobrança de 12 reais?', { says: ['Film Club'] }],
      ['foi no cartão?', { says: ['não vejo', 'R$ 12,00', 'Perfil > Pagamentos'], saysNot: ['Manguebeat'] }],
    ]);
    await converse(hub, BRUNO, [
      ['how did I pay for the film club, card or pix?', { says: ['cannot see', 'R$ 12.00'] }],
      ['when was it charged?', { says: ['R$ 12.00', '8 March'] }],
    ]);
  });

  it('[DLG-169] is told whether anything was paid before a day, yes or no first', async () => {
    await converse(hub, ANA, [
      [
        'did you take anything from me before January?',
        { says: [/^Yes\. .*before 1 January/, '6 December'] },
      ],
      ['how about in December?', { says: ['6 December'], saysNot: ['visit'] }],
    ]);
    await each([
      [PAULO, 'did I pay anything before January?', { says: [/^No\. I see no payment before 1 January/] }],
      [ANA, 'cobraram algo de mim antes de fevereiro?', { says: [/^Sim\. .*antes de 1 de fevereiro/] }],
    ]);
  });
});

describe('what is booked', () => {
  it('[DLG-170] is told whole for the coming weeks, and of the last ones where somebody has been', async () => {
    const whole = { says: ['Candlelight', 'Samba Night', 'Clarice', 'Elis'] };
    await each([
      [ANA, 'what have I reserved in the next few weeks?', whole],
      [ANA, 'o que eu tenho reservado para as próximas semanas?', whole],
      [ANA, 'what do I have next week?', { says: ['Elis'], saysNot: ['Samba'] }],
      [FELIPE, 'where have I been in the last few weeks?', { says: ['Little Prince', 'Grupo Corpo'] }],
      [FELIPE, 'what did I see in Belo Horizonte?', { says: ['Grupo Corpo'], saysNot: ['Poetry', 'MASP'] }],
      [FELIPE, 'onde foi aquele fantoche que eu vi?', { says: ['Teatro Guaíra'], saysNot: ['MASP'] }],
    ]);
  });

  it('[DLG-171] is said to be there or not where somebody believed to have it', async () => {
    await each([
      [ANA, 'I thought there was also a musical?', { says: [/^Yes, you have it: Elis/] }],
      [ZELIA, 'i thought i also had a musical in march?', { says: [/^No, .*\n- Choro/] }],
      [ZELIA, 'achei que eu tinha um show de jazz marcado também', { says: [/^Não, não encontro essa/] }],
      [MARIANA, 'eu não tinha uma peça em abril?', { says: [/^Sim, você tem: Dom Casmurro/] }],
    ]);
  });

  it('[DLG-172] is told beside what was told, and the dearest with its price', async () => {
    await converse(hub, BRUNO, [
      ['what is my next booking?', { says: ['Film Club'] }],
      ["what's the other one I have?", { says: ['Manguebeat'], saysNot: ['Film Club'] }],
    ]);
    await each([
      [TATIANA, 'which of mine is the dearest?', { says: ['Elis', 'R$ 380.00'] }],
      [TATIANA, 'qual a mais cara que eu reservei?', { says: ['Elis', 'R$ 380,00'] }],
    ]);
  });

  it('[DLG-173] is cancelled where it is named, and not what somebody says they still go to', async () => {
    await converse(hub, ANA, [
      ['cancela a do samba por favor', { says: ['Samba Night'], pending: 'confirmation' }],
      [
        'pera, na verdade cancela a da Clarice, a do samba eu quero ir',
        { says: [/Posso cancelar "Clarice/], pending: 'confirmation' },
      ],
    ]);
    await converse(hub, ANA, [
      ['cancel the samba one', { says: ['Samba Night'] }],
      [
        'no wait, cancel the Clarice instead, I do want to go to the samba',
        { says: [/Shall I cancel "Clarice/] },
      ],
    ]);
    await each([[ANA, 'não vou conseguir ir domingo', { says: [/Posso cancelar "Clarice/] }]]);
  });
});

describe('the own plan', () => {
  it('[DLG-174] tells who may come along, and what the smaller one would take away', async () => {
    await each([
      [BRUNO, 'does my plan let me take someone?', { says: [/^No: with your Basic plan/] }],
      [BRUNO, 'então com o meu não dá pra levar minha mulher?', { says: [/^Não: com o seu plano Basic/] }],
      [ANA, 'can I bring a guest with my plan?', { says: [/^Yes: with your Premium plan/] }],
      [
        ANA,
        'what would I lose by downgrading?',
        { says: ['2 visits a month instead of 5', 'R$ 60.00 less'] },
      ],
      [ANA, 'o que eu perco se for pro basic?', { says: ['2 visitas por mês em vez de 5'] }],
      [BRUNO, 'what would I lose if I downgrade?', { says: ['on Basic already'] }],
    ]);
  });

  it('[DLG-175] tells what comes on a day of a pause, and what would be paid, with amounts', async () => {
    await converse(hub, BRUNO, [
      ['e da pra mudar pro premium? quanto fica', { says: ['R$ 60,00 a mais'] }],
      ['ta mas quanto eu pagaria hj exatamente?', { says: ['R$ 44,52'] }],
    ]);
    await each([
      [
        CARLA,
        'what happens on the 31st, do you charge me?',
        { says: ['until 31 March', 'R$ 59.90, on 9 April'] },
      ],
      [KARINA, 'what happens on March 20, will it start by itself?', { says: ['goes on by itself'] }],
      [CARLA, 'when would I be charged if I resume now?', { says: ['R$ 59.90, on 9 April'] }],
      [
        ANA,
        'how much have I spent besides the plan this year?',
        { says: ['R$ 780.00'], saysNot: ['subscription'] },
      ],
      [DIEGO, 'quero voltar a assinar, quanto é', { says: ['R$ 59,90', 'R$ 119,90'], saysNot: ['Rock'] }],
      [
        HENRIQUE,
        'entao pq vcs me cobraram 119,90 ontem?',
        { says: ['pausada até 2 de abril'], escalated: 'requires_human' },
      ],
    ]);
  });
});

describe('a question beside which nothing is to be changed', () => {
  it('[DLG-176] is answered alone, and nothing is offered that was not asked for', async () => {
    const alone = { saysNot: ['cancelar', 'reservar por você'], pending: null };
    await converse(hub, BRUNO, [
      ['vcs me cobraram 2x o manguebeat!!!', { says: ['R$ 70,00'] }],
      [
        'nao quero cancelar nada, eu quero ir no show. so queria saber da cobranca',
        { ...alone, says: ['R$ 70,00, Manguebeat'] },
      ],
    ]);
    await each([
      [
        ANA,
        'you charged me twice for the samba! I do not want to cancel it, just explain',
        { says: ['R$ '], saysNot: ['Which one would you like', 'not sure what you need'], pending: null },
      ],
      [
        TATIANA,
        "I was billed for the frevo evening though I cancelled it. Don't touch my other bookings",
        { says: ['R$ 20.00', 'no refund has been made'], saysNot: ['Elis'] },
      ],
      [LUCAS, 'ta mas essa assinatura recusada, o q acontece agora?', { says: ['3 vezes em 7 dias'] }],
    ]);
  });

  it('[DLG-177] leaves a pause as it is in one sentence, and says that its end cannot be moved', async () => {
    const left = { saysNot: ['retomar', 'reativar', 'resume'], pending: null };
    await converse(hub, CARLA, [
      ['nao to conseguindo reservar nada, o que houve', { pending: 'confirmation' }],
      ['nao, deixa pausado por enquanto', { ...left, says: ['não mudei nada'] }],
    ]);
    await converse(hub, KARINA, [
      ['can you extend my pause?', { says: ['cannot move', '20 March'], pending: null }],
      ['ok leave it paused then', { ...left, says: ['stays as it is'] }],
    ]);
  });

  it('[DLG-178] is heard in what is only told of a refused payment, and the very one is named', async () => {
    await each([
      [
        BEATRIZ,
        "I got an email saying my payment didn't go through",
        { says: ['Little Prince', 'nothing is open'] },
      ],
      [FELIPE, 'it says failed next to one of my payments', { says: ['Manguebeat', 'went through'] }],
      [LUCAS, 'meu cartão foi recusado', { says: ['R$ 59,90', '3 vezes em 7 dias'] }],
      [
        ANA,
        'meu cartão foi recusado na hora de reservar',
        { says: ['nenhum foi recusado', 'cartão vencido'] },
      ],
      [SERGIO, 'can you just show me the failed payment?', { says: ['R$ 320.00', 'went through'] }],
    ]);
  });

  it('[DLG-179] takes money that is wanted back for that of the case that is told of', async () => {
    await each([
      [
        FELIPE,
        'you charged me twice, I want my money back',
        { says: ['R$ 119.90 appears twice'], saysNot: ['Which one'], pending: null },
      ],
      [
        LUCAS,
        'vcs me cobraram 2x!!!! quero meu dinheiro d volta',
        { says: ['Minas Electronic'], saysNot: ['Posso cancelar'], pending: null },
      ],
      [ANA, 'cancel the samba, and why was I charged twice?', { pending: 'confirmation' }],
    ]);
  });
});
