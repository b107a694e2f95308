/** Chat shorthand, folded, with what it stands for; words of one abbreviation are joined by +. */
const TABLE = `
  vc=voce vcs=voces ce=voce ces=voces pq=porque oq=o+que q=que n=nao nn=nao naum=nao ñ=nao hj=hoje tb=tambem
  tbm=tambem pfv=por+favor pf=por+favor pfvr=por+favor pfvor=por+favor qdo=quando qnd=quando qto=quanto
  qt=quanto qts=quantas qtas=quantas qtos=quantos ta=esta tava=estava tou=estou td=tudo mto=muito mt=muito
  mta=muita msg=mensagem obg=obrigado vlw=valeu blz=beleza pra=para pras=para+as pros=para+os qro=quero eh=e
  aki=aqui kd=cade ngm=ninguem algm=alguem dps=depois agr=agora cmg=comigo vdd=verdade msm=mesmo msma=mesma
  mesmu=mesmo sdds=saudade gnt=gente fds=fim+de+semana dnv=de+novo tds=todos cmo=como qm=quem qlqr=qualquer
  qq=qualquer ond=onde mds=meu+deus bjs=beijos abcs=abracos obgd=obrigado obgda=obrigada brigado=obrigado
  brigada=obrigada brigadao=obrigado flw=tchau cel=celular aq=aqui entaum=entao tlg=entendeu vcis=voces
  vsf=droga fzr=fazer fz=fazer qndo=quando tmb=tambem tbem=tambem smp=sempre pqp=droga pgto=pagamento
  pgt=pagamento reenb=reembolso assin=assinatura insc=inscricao cancl=cancelar axo=acho axei=achei oxi=oxe
  tendi=entendi tamo=estamos tamos=estamos tavam=estavam pru=para+o prum=para+um prumas=para+umas duma=de+uma
  pera=espera perai=espera
  u=you ur=your r=are pls=please plz=please plss=please thx=thanks tks=thanks im=i+am ive=i+have id=i+would
  wanna=want+to gonna=going+to gimme=give+me lemme=let+me cuz=because bc=because coz=because cant=can+not
  cannot=can+not dont=do+not doesnt=does+not didnt=did+not wont=will+not isnt=is+not arent=are+not
  wasnt=was+not werent=were+not havent=have+not hasnt=has+not hadnt=had+not couldnt=could+not
  wouldnt=would+not shouldnt=should+not aint=is+not wheres=where+is whats=what+is hows=how+is thats=that+is
  theres=there+is whos=who+is acc=account acct=account pw=password pwd=password appt=appointment
  info=information cust=customer rsrv=reserve tix=tickets wud=would cud=could ppl=people tmrw=tomorrow
  tmr=tomorrow tmw=tomorrow yest=yesterday wknd=weekend mins=minutes hrs=hours hr=hour yrs=years msgs=messages
  txt=text pics=pictures pic=picture bday=birthday sry=sorry srry=sorry soz=sorry ty=thanks tysm=thanks
  thnx=thanks thanx=thanks thnks=thanks omw=on+my+way idk=i+do+not+know dunno=do+not+know rn=right+now
  btw=by+the+way tho=though thru=through bcz=because becoz=because gotta=have+to gotcha=understood
  kinda=kind+of lotta=lot+of outta=out+of shoulda=should+have rly=really rlly=really pmt=payment pymt=payment
  pymnt=payment membr=member canx=cancel
  cxl=cancel cncl=cancel refnd=refund whr=where wht=what wot=what shd=should yall=you+all youre=you+are
  theyre=they+are weve=we+have youve=you+have itll=it+will ull=you+will hav=have gd=good nite=night abt=about
  hv=have nd=and
`;

/** What a word of chat shorthand stands for, in folded words. Both languages at once, because people mix them. */
export const SHORTHAND: ReadonlyMap<string, readonly string[]> = new Map(
  TABLE.trim()
    .split(/\s+/)
    .map((pair) => {
      const [short = '', long = ''] = pair.split('=');
      return [short, long.split('+')];
    }),
);
