/** The clauses of the server: API, desk, pages, people, operations. Part of `requirements.ts`. */
export const SERVER_REQUIREMENTS = {
  // HTTP: signing in
  'HTP-01': 'In the demo a seeded customer or the demo operator signs in without a password',
  'HTP-02': 'Where the demo is off, that is refused',
  'HTP-03': 'Forged, expired and orphaned tokens are refused',
  'HTP-04': 'Customers and operators are kept apart',
  'HTP-05':
    'One-time codes are hashed, die after five attempts and ten minutes, and tell nothing of who is a customer',
  'HTP-06': 'Attempts to sign in are limited by address',
  'HTP-07': "Tokens of the company's own sign-in are taken by its published keys",
  'HTP-08': 'Codes are sent by SMTP where it is configured',
  // HTTP: the protocol
  'HTP-10': 'Every error is a problem document with a code',
  'HTP-11': 'Malformed HTTP and oversized bodies are refused',
  'HTP-12': 'Security headers are set, and foreign hosts are refused',
  'HTP-13': 'CORS is closed but for exact origins; a proxy is trusted only where that is said',
  'HTP-14': 'Health names each part',
  'HTP-15': 'Metrics can be kept for the holder of a token',
  'HTP-16': 'The public settings and single articles are served',
  'HTP-17': 'The pages are served with the right caching',
  'HTP-20': 'A conversation is held over JSON',
  'HTP-21': 'A yes to a question acts once',
  'HTP-22': 'A conversation is rated',
  'HTP-23': 'Messages have a greatest length',
  'HTP-24': "Somebody else's conversation looks exactly like one that does not exist",
  // HTTP: streams
  'HTP-30': 'A turn comes as events, each with an id',
  'HTP-31': 'A message sent again is answered as before; Last-Event-ID continues its stream',
  'HTP-32': 'A client that goes away does not stop its turn',
  'HTP-33': 'A conversation is followed and resumed',
  'HTP-34': 'Of two streams on a conversation the newer one wins',
  'HTP-35': 'A client that does not read is dropped',
  'HTP-36': 'A server that stops lets turns end',
  // HTTP: idempotency, limits, document, faults
  'HTP-40': 'The same Idempotency-Key and request: the same answer and one effect; another request: 409',
  'HTP-41': 'That holds at once, across processes and for streams',
  'HTP-42': 'That holds where the first answer was lost',
  'HTP-43': 'Only answers that are final are kept',
  'HTP-50': 'Turns a minute are limited by identity and by address',
  'HTP-60': 'The OpenAPI document names every route',
  'HTP-61': 'Real answers match the document',
  'HTP-70': '10,000 malformed requests: no 5xx, no crash',
  'HTP-80': 'A restart loses nothing that was acknowledged',
  'HTP-81': 'A killed server answers a message once',
  'HTP-82': 'A port in use and a wrong setting are one clear line',
  'HTP-83': 'Two processes share one secret; strangers get no demo',

  // The desk's API
  'DKA-01': 'A draft is for operators alone; once published it is found at once in every process',
  'DKA-02': 'What is published stays until the changed draft is published; states are listed',
  'DKA-03': 'Search finds something at every moment while articles come and go',
  'DKA-04': 'Where the index is down keywords find an article, the answer says so, and vectors catch up',
  'DKA-05': 'Two processes that publish at once end with the same index',
  'DKA-06': 'Wrong articles are refused by field, and nothing is stored',
  'DKA-07': 'Id and language are found; publishing is audited',
  'DKA-10': 'Tickets are listed by tab with clock, name, last message and approvals',
  'DKA-11': 'Tickets are searched by words, customer and id, for any text',
  'DKA-12': 'Filters hold; unknown values are refused',
  'DKA-13': 'A ticket shows its path and why, approvals, audit and the whole conversation',
  'DKA-14': 'Every rule has a sentence in both languages',
  'DKA-15': 'A suggestion changes nothing',
  'DKA-16': 'Customers are searched, and a record is shown',
  'DKA-17': 'Changed or deleted words are found no more and not kept',
  'DKA-20': 'Claim, note, reply, return and resolve work over HTTP',
  'DKA-21': 'Idempotency-Key holds for what operators write',
  'DKA-22': 'Of five decisions at once one wins, and the money agrees',
  'DKA-23': 'Wrong decisions are refused, and nothing changes',
  'DKA-24': "An investigation's question is answered over HTTP",
  'DKA-25': 'The clock runs in business hours, stops and starts again',
  'DKA-30': 'A customer is refused on every call of the desk, and nothing changes',
  'DKA-31': 'Other spellings of a path do not get round that',
  'DKA-32': 'Hostile text stays text; too much is refused',
  'DKA-40': "Articles over HTTP reach customers' answers",
  'DKA-41': 'Wrong fields and unknown ids are named; a repeated create is one',
  'DKA-42': 'An article that gives orders changes nothing that is written',
  'DKA-50': 'The report counts by local day, with zeros',
  'DKA-51': 'Local days are right across clock changes',
  'DKA-52': 'Skills are listed with the knowledge of their experts',
  'DKA-53': "The desk's events are live; Last-Event-ID continues without loss",
  'DKA-54': 'Among 20,000 tickets each call is quick and right',
  'DKA-60': 'A ticket is claimed, answered and resolved from the command line',
  'DKA-61': 'What is refused there is said in one line',
  'DKA-70': 'With a model a suggestion takes one call and names its sources',
  'DKA-71': 'A draft that fails review, or no model, gives one by rules',
  'DKA-72': "A suggestion quotes an article in the customer's language, or asks",
  'DKA-73': 'A suggestion promises nothing of its own',

  // People and the hub
  'PPL-01': 'A claim drops the running turn, and the customer is told who has the conversation',
  'PPL-02': 'Once a claim has returned the hub is silent, in every process',
  'PPL-03': 'Of several who claim, one wins',
  'PPL-04': 'The open question is withdrawn; a later yes only reaches the operator',
  'PPL-05': 'Claimed before the effect, the yes is taken back',
  'PPL-06': 'Claimed after the effect, it stands, and the desk reads of it',
  'PPL-07': 'An approval on a claimed conversation acts once and is told once',
  'PPL-08': 'A claim at any moment leaves no half answer',
  'PPL-10': 'A customer gets one stored acknowledgement, and none after the operator wrote',
  'PPL-11': "Out of hours is said, in the customer's language",
  'PPL-12': 'Every message of a burst is stored once',
  'PPL-13': 'Nothing meant for the desk reaches the customer',
  'PPL-14': 'A page that shows the conversation gets no repeats',
  'PPL-15': 'Handed back, the hub answers what nobody answered',
  'PPL-16': 'There is no hand-over loop',
  'PPL-17': 'What would be handed over again joins the request that waits',
  'PPL-18': 'A ticket is resolved, with a last word',
  'PPL-19': 'A crash between resolving and giving back is healed',
  'PPL-21': 'A decision with other arguments asks the customer anew',
  'PPL-22': 'An approval nobody gave in time is told',
  'PPL-23': 'A yes written before a question is no answer to it',
  'PPL-24': 'A button answers its own question only',
  'PPL-25': 'A turn whose model hangs is dropped too',
  'PPL-26': 'The agents hear what people said',
  'PPL-27': 'A tool call that comes late changes nothing',
  'PPL-30': 'Stores: a conversation is claimed by one',
  'PPL-31': 'Stores: it is released to the queue or the hub',
  'PPL-32': 'Stores: messages keep audience, author, sources and client id',
  'PPL-33': 'Stores: tickets of a conversation are merged',
  'PPL-34': "Stores: a customer's conversations are listed",
  'PPL-35': 'Stores: the queue is filtered',
  'PPL-36': 'Stores: lapsed approvals are found and settled once',
  'PPL-40': 'The service-level clock runs in business hours',

  // Web push
  'PSH-01': 'A browser whose page is closed is told of an answer once, by a push that carries nothing of it',
  'PSH-02':
    "A push service is called with the hub's own key (VAPID), and no address that only the hub can reach",
  'PSH-03':
    'A browser is told no longer once its customer says so, somebody else signs in there, or it is gone',
  'PSH-04':
    'The service worker runs under the content security policy, says one sentence in the language of the page, and brings the chat back',
  'PSH-05': 'Erasure takes the subscriptions of a customer, and an export hands over no endpoint',

  // Conversations that outlive a crash
  'CNV-01': 'The same client id is one message with one answer, also after a restart; other words conflict',
  'CNV-02': 'What nobody looks after is found again',
  'CNV-03': 'Events are numbered in the order of commits over all processes',
  'CNV-04': 'An idempotency key runs one request',
  'CNV-05': 'A sent message is answered and shown with its answer',
  'CNV-06': 'Empty, too long and badly named messages are refused before they are kept',
  'CNV-07': "Somebody else's conversation looks like none",
  'CNV-08': 'The newest rating counts',
  'CNV-09': 'A button decides exactly one question, once',
  'CNV-10': 'A burst is answered once, and every sender is told',
  'CNV-11': 'Of yes and no at once one is the decision',
  'CNV-12': 'The sender hears its turn in order, word for word',
  'CNV-13': 'A stream continues after any event without loss or repeat',
  'CNV-14': 'Followers in other processes hear the stored events in the same order',
  'CNV-15': 'A follower that throws hurts nobody; without one no live events are made',
  'CNV-16': '2,000 followers hear their own conversations only',
  'CNV-17': "Owners and operators' words reach followers, notes never",
  'CNV-18': 'The desk hears of every change in every process, also after a break',
  'CNV-20': 'Killed at any step of a yes, a button or a no: done once, told once, answered',
  'CNV-21': 'Killed in the request: asked once',
  'CNV-22': 'Killed in an escalation: handed over once, and said',
  'CNV-23': 'A living process takes over what a dead one left',
  'CNV-24':
    'A full disk on either database moves no money in a turn that fails, and the message can be sent again',
  'CNV-25': 'A client or server that goes in the middle: the turn ends and is stored',
  'CNV-26': 'Many messages at once from two processes are kept once, all answered, one after the other',
  'CNV-27': 'What is old is forgotten',

  // The web chat
  'WEB-01': 'A seeded customer signs in on the page of the demo',
  'WEB-02': 'The page says in plain words what goes on and shows the answer; a source opens as an article',
  'WEB-03': 'A question is a card with buttons, or typed; it acts once and shows what it became',
  'WEB-04': 'What waits for the team is a card that says until when, and shows what came of it',
  'WEB-05': "A hand-over is announced; the operator's words and the return are seen",
  'WEB-06': 'A reload in the middle of a turn loses and repeats nothing',
  'WEB-07': 'Messages typed meanwhile are sent once, in order',
  'WEB-08': 'The page reconnects by itself and sends again under the same id',
  'WEB-09': 'A session that ended asks again and goes on',
  'WEB-10': 'Conversations are listed and opened; an unknown one is said to be so',
  'WEB-11': 'An answer is rated by the customer',
  'WEB-12': 'The page follows the language of the conversation; a chosen language and look stay',
  'WEB-13': 'Text is never HTML; links lead to allowed hosts only',
  'WEB-14': 'Every state is accessible, fits a phone, and has targets for fingers',
  'WEB-15': 'One line puts the chat on another page, and nothing else',
  'WEB-16': 'The reference shows every operation',
  'WEB-17': 'The page is light and starts quickly',
  'WEB-18': 'Where it is no demo, a code by mail signs in',

  // The desk's pages
  'DUI-01': 'New tickets appear by themselves, and the title counts those nobody has',
  'DUI-02':
    'An operator claims, replies, notes and hands back; the customer sees it at once, but never a note',
  'DUI-03': 'Drafts and the place survive a reload in the middle',
  'DUI-04': 'Who has a ticket, and who was faster, is said, and the draft is kept',
  'DUI-05': 'An approval shows action, arguments and consequences; one decided elsewhere is said to be so',
  'DUI-06': 'Chat and desk work through one case together, with exactly one refund',
  'DUI-07': 'An article is written, previewed as text, published, and answers the next question',
  'DUI-08': 'A ticket shows path and why, tools, evidence, options, customer, memory and a suggested reply',
  'DUI-09': 'The figures of the dashboard are right, drawn, and given as tables',
  'DUI-10': 'The desk works by keyboard alone, searches, and speaks Portuguese',
  'DUI-11': "A token in the address signs in and is hidden; a customer's is refused",
  'DUI-12': 'Every view is accessible and fits a phone, light and dark',
  'DUI-13': 'Clocks and ages are said in words',
  'SHF-01':
    'After Claim the reply field and Send are on the screen at 1280x720 and 1366x768, and the suggestion is one line until it is opened',
  'SHF-02':
    'A ticket moves between operators: a colleague takes it over with a reason that all read, or its holder gives it to one',
  'SHF-03':
    'A claim lapses when nothing is heard of its operator while the customer waits: the customer is told, and the team has it again',
  'SHF-04': 'Colleagues see who looks at a ticket and who is writing',
  'SHF-05':
    "A customer who writes on a claimed ticket is heard: unread mark, the row's words, a raised priority, a toast and the title",
  'SHF-06':
    'What the hub is at, what waits for the customer, for the team and for an approval are lists of their own, in pages and orders',
  'SHF-07':
    'An operator does any action of the company from the ticket: policy, once, audit and word to the customer as for every change',
  'SHF-09': "Every time on the desk is the company's, and the desk names its zone",
  'SHF-10':
    'A ticket is tagged, put aside until a time or until the customer writes, and answered and resolved in one step',
  'SHF-11': 'Nobody is told that the support is closed while a person has just taken the conversation',
  'SHF-12':
    'Nothing read on a page of chat or desk, in any language, is an id, JSON, a tool name or another word of the program',
  'SHF-13': 'Beside each answer of the hub stands why: route and reason, tools, who wrote it, time and cost',
  'SHF-14': 'The pages come compressed to every browser that unpacks them',
  'SHF-15':
    "A demo's desk begins with thirty days of conversations, the same ones each time, and with work in its queue",
  'SHF-16':
    'A decision card names the event, the amount and what each button does, and is the same after a reload',
  'SHF-17': 'The demo picker says which customers are blocked, paused or had a payment fail',
  'SHF-18': 'A list of the desk is saved as CSV as it is narrowed, and nothing in it becomes a formula',
  'SHF-19': "An operator's action is done only while the operator still holds the ticket",
  'SHF-20':
    'A customer stops an answer: it ends with a sentence that says so, nothing is half done, and what was agreed to is finished',
  'SHF-21': 'Macros are kept at the desk, filled for the ticket, and send words, tags and status in one',
  'SHF-22':
    'Tickets are assigned, tagged, resolved and put aside together, each by itself, and what came of each is said',
  'SHF-23': 'Two tickets of one customer are merged, never of two, and a customer is shown across tickets',
  'SHF-24':
    "A ticket is the team's that the company names for its subject, or the one's it was given to, and teams have lists",
  'SHF-25': 'Questions that no article answered are listed and become drafts of articles',
  'SHF-26':
    'Every command of the desk is found by its words with one key, and many tickets are marked by key or press',
  'SHF-27':
    "The pages take the company's colour, or that of the page they are put on, and stay readable in both themes",
  'SHF-28': 'The way of an answer is drawn, each tool where it was called, and is gone through step by step',
  'SHF-29':
    'The chat asks nothing before the first question: a visitor is answered as one, and owns exactly what was begun with the own session',
  'SHF-30':
    'A visitor who signs in goes on in the same conversation: it becomes that customer’s once and whole, never again and never back',
  'SHF-31':
    'What a guardrail kept from being sent is stored with the turn, and told beside the answer in plain words',
  'SHF-32':
    'A customer sees that an operator has opened the last message, an operator that a reply is read, and nobody else does',
  'SHF-33': 'A search looks in all conversations, says where each is, and counts what it can be narrowed by',
  'LED-01':
    'Reports say what each operator did and what became of the tickets, in business hours, each figure with its definition beside it',
  'LED-02': 'A press on any number or chart of the reports opens exactly the tickets that it counts',
  'LED-03': 'Every published text of an article is kept, compared with another one, and made the draft again',
  'LED-04': 'An article says in which tickets an answer cites it, the newest first',
  'SHF-41':
    "Bold, italics, code, lists and links of an operator's or the hub's message are shown as such; a customer's words stay as typed",
  'SHF-50':
    'Every window of the desk takes keys in its first field, closes with Escape and has no fault of access',
  'SHF-51':
    'The tickets whose notes name an operator are a list of its own, until the operator writes on them',
  'SHF-52':
    'Enlarged to 200 %, a ticket is claimed, answered and sent with nothing in the way of its buttons',
  'SHF-53': 'With every filter open at 1280×720 each can be read, and tickets still stand below them',
  'COF-01':
    'A change of a company file is written once another operator approves it, and each deed is recorded',
  'COF-02': 'A change is checked and evaluated on a copy of the company that asks no system',
  'COF-03': 'A file or a check that is out of date, and a fault, refuse the approval of a change',
  'COF-04': 'The way back from a change of a company file is a change like any other',
  'COF-05':
    'Differences, findings and figures of a change are shown, by keyboard too and without a fault of axe',
  'COF-06': 'A server takes up a change of a company file that operators have approved, without being told',
  'COF-07': 'A change that waits is counted in the bar for every operator who may decide it, until one has',
  'COF-08': 'Prompts of the engine may be said in words of the company, from the desk too, and are checked',
  'SHF-64':
    'Ten operators and fifty customers at once: nothing is lost, doubled, out of order or talked over',
  'SHF-65':
    'The list of a busy desk shows each reading of it, also where more happens before it comes, and the last word',
  'SHF-115': 'What the desk could not read in passing it reads again by itself, before it speaks of a fault',
  'SHF-116': 'The desk shows at once what it has read before, unless it was told of a change of it since',
  'SHF-117':
    'A message on an open ticket leaves the customer in place, and the timeline is read once it is unfolded',
  'SHF-60': 'A message changes its row at the desk: the rest of the list is not sent again',
  'SHF-62':
    'A queue of 5,000 tickets scrolls without jank, and a conversation of 2,000 messages opens at once',
  'SHF-63':
    'On a slow line and a slow telephone the largest part of chat, desk and dashboard is soon painted',
  'SHF-61': 'A long conversation opens with its newest messages, and earlier ones come in place',
  'SHF-70':
    'A turn that takes all its time is answered with a sentence and goes to operators, from its first message on',
  'SHF-71':
    'Where an operator resolves one of two tickets of a conversation, the other that waits for people stays in sight',
  'SHF-72':
    'Who is given a ticket by a colleague is told at once, with the note, wherever they are at the desk',
  'SHF-73':
    'On a low screen the conversation keeps its place: the head of a ticket takes two lines, in every language',
  'SHF-74': 'A ticket on which an action waits for an operator says so, and not that the hub answers it',
  'SHF-90':
    'A notice of the desk covers nothing that is pressed or read, on a telephone too, and opens what it is about',
  'SHF-91': 'What a change of a company file does is shown whole to who approves it',
  'SHF-92': 'A day that an action of an operator takes is chosen as a day, and what may stay empty says so',
  'SHF-93':
    'A macro takes placeholders in one pair of braces or two; what is none is refused in the language of the desk',
  'SHF-94': 'A name that an operator has begun after @ is completed, and not written twice',
  'SHF-97': 'What an investigation recommended says when it was done since then',
  'SHF-98': 'On a telephone too a ticket says that its customer is blocked, paused or owes money',
  'SHF-99': 'The chat reads again when the team answers once a server that was away is back',
  'SHF-118':
    'A link beside the why of an answer opens the conversation in LangGraph Studio, under no customer’s name',
  'SHF-119':
    'What an investigation found, asks and advises is said in the operator’s language, where its pack has it',
  'SHF-120':
    'An operator who gives a ticket away is not told that it was taken, and its holder is named once',
  'SHF-121':
    'Every row of the list says what its ticket is about, however late it is and long its customer’s name',
  'SHF-130':
    'Whose ticket is taken by a colleague hears of it on every page, with the reason; after giving one away the next opens',
  'SHF-131':
    'On a telephone the conversation of an open ticket has more than half of the screen, and its tools stand in one row',
  'SHF-132':
    'An action of an operator names records as people do and takes money as money; what was done says with which choice',
  'SHF-133':
    'An action that comes to wait for a decision is told on every page of the desk, and opens its ticket',
  'SHF-134':
    'An answer in a conversation that is not open is told above the open one, in the title and as asked for, and opens with a press',
  'SHF-135':
    'A ticket says that another one of its customer is with a colleague or waits for the team, and leads there',
  'SHF-136':
    'A message of a customer that came by mail says so at the desk, since who wrote it may not be on the page',
  'SHF-137':
    'Customers are told a number of six signs for their request, never an id, and with it the desk finds the ticket',
  'SHF-138':
    'What an operator does to a payment or refund is chosen by name, day and money from what the rules allow',
  'SHF-139': 'A merged ticket leads to the one that it went into, from its composer and from the timeline',
  'SHF-140':
    'A card with buttons does not ask for a yes or no in words, which stand in the text of other channels',
  'SHF-141': 'On a telephone what narrows a search is folded, so that its first results are seen',
  'SHF-142': 'Files of the company are called at the desk by words of the reader’s language alone',
  'SHF-143':
    'What an operator saves as a view stands in every browser of theirs, and what an old desk kept is taken over once',
  'SHF-144':
    'Who asks for a person in anger is as frustrated and pressing at the desk as all of the message says',
  'SHF-145':
    'An action that there is nothing for is offered to no operator, and stands apart from those that there are',
  'SHF-150':
    'An action and a choice that the rules refuse now are offered to no operator, and the rule stands beside them',
  'SHF-151':
    'Other open tickets of a customer are told apart at the desk by their number, subject and who has them',
  'SHF-152': 'Files about records are called at the desk by what the company calls those records',
  'SHF-153': 'In a terminal the desk takes the number that a customer was told wherever it takes a ticket',
  'SHF-154':
    'A customer who writes the number of their request is told where it stands, in any conversation of theirs',
  'SHF-155':
    'The summary of a message in anger says what happened and what is wanted, not one of the two alone',
  'SHF-156': 'An amount of money is written at the desk as the hub writes it to customers',
  'SHF-157':
    'Everything that can be done with a ticket has a key and stands in the list of commands while it can be done',
  'SHF-158': 'While a request is with the team, the chat says by what number the team and the hub find it',
  'SHF-159':
    'A ticket is put aside until the team comes in on a later day, or until any time of the company’s clocks',
  'SHF-160':
    'A suggested reply says nothing again that the customer was told, and asks nobody what was decided just now',
  'SHF-161':
    'A customer who writes the number of a request is told what was done for it, or why it was refused',
  'SHF-162':
    'A customer who waits for the team and asks whether anybody is there is told where it stands, whatever is said beside',
  'SHF-163':
    'What a customer writes on a claimed conversation belongs to the request the team has, not to what the hub answered beside it',
  'SHF-164':
    'What a customer agreed to, turned down or took back is told across tickets as theirs, not as done or refused by them',
  'SHF-165':
    'Of an operator’s own tickets those stand first whose customers wait, however pressing the answered ones are',
  'SHF-166':
    'Who closed the page writes nowhere any more within seconds, and a ticket says that its holder is not at the desk',
  'SHF-167':
    'A customer whose tickets are merged is told the number of the one that goes on and what it was about first',
  'SHF-168':
    'Beside the message that called for a person stands what the ticket was about first, where that message does not say it',
  'SHF-169': 'A row of what was found shows the name of the customer whole, wherever the ticket is',
  'SHF-170': 'Times in a zone that a setting names are said to be in that zone, not in the company’s own',
  'SHF-171':
    'Why an action is not possible is told as what customers would read, and said too where there is nothing to do it to',
  'SHF-172': 'An operator whose shift ends by its time is told of each ticket that goes back into the queue',
  'SHF-173': 'Who decides what a colleague has decided meanwhile is told by whom and how',
  'SHF-174':
    'What a suggestion looks up is what the customer asks, without their wish for a person, in every language',
  'SHF-175':
    'What is said below the last message, that it was read or rated, comes into sight of who reads the end',
  'SHF-176': 'A ticket stays about what it was about where its customer then only asks for a person',
  'SHF-177': 'Whose ticket has come or gone is called a visitor where nobody has signed in',
  'SHF-178':
    'What a customer asked for in time is granted by an operator after the deadline too, at the terms that were told',
  'SHF-179': 'A ticket whose customer first only asks for a person is about what they say next',
  'SHF-180': 'Words of haste on a claimed ticket press as much as they would in the message that opened it',
  'SHF-181':
    'What a macro fills in is called by its name in the language of the operator, and stored as ever',
  'SHF-182': 'Beside a ticket the earlier ones of its customer are listed, and not the ticket itself',
  'SHF-184':
    'A suggestion quotes an article for a symptom only where that surely answers it, and else says that none does',
  'SHF-185': 'What the hub answered beside a ticket that goes back into the queue is no second ticket there',
  'SHF-186': 'What the hub answered beside a claimed request is no second row of its operator',
  'SHF-187': 'Who comes back to a desk on which very much was moved is told how their tickets stand now',
  'SHF-188':
    'What comes with files while a request waits for the team goes to that request, and is not answered once more by the hub',
  'SHF-189':
    'What is only said or told again of the request that waits for the team stands on it, and is no request of its own',
  'SHF-190': 'Of two tickets of one conversation that are merged one is left, whoever has them',
  'SHF-191': 'What the hub would refund by itself an operator may refund from the ticket',
  'SHF-192':
    'A suggestion asks for nothing that is on record, was looked into or was told, and quotes no part of a list alone',
  'SHF-193':
    'What a customer writes to an operator whose shift is over goes back to the team at once, whatever was answered before',
  'SHF-194':
    'The questions that the chat suggests first are answered from records and articles, in every language',
  'SHF-195':
    'What is saved for a spreadsheet has whole moments of the company’s clocks and the number of each request',
  'SHF-200': 'On a low screen the conversation keeps its half, whatever is suggested or written below it',
  'SHF-201': 'What narrows a list stays with it, is seen in one line, and goes with one press',
  'SHF-202':
    'Who only thanks or says goodbye waits for nobody: no clock starts, and what is put aside or answered stays so',
  'SHF-214': 'Who was helped in a ticket that others were merged into is asked how that was',
  'SHF-212': 'What is wrong with a field of an action stands beside it, in the language of the desk',
  'SHF-213':
    'Earlier tickets of a customer are told beside a ticket, also those that the memory has no word of',
  'SHF-211': 'What an operator decided stands at that moment in the conversation, with what it was about',
  'SHF-210': 'Once a message is sent, nobody is said to type it any more',
  'SHF-208': 'A message in capitals alone is no angrier than the same words in small letters',
  'SHF-209': 'A ticket is called legal for what its message is about, not for a word of the law in it',
  'SHF-206': 'What was done tells giving a ticket from taking it, and who merged or put one aside',
  'SHF-204':
    'A ticket is gone to, tagged and merged from the list of commands; several tags are parted by commas, and rows say them',
  'SHF-205': 'What is marked is given to any colleague at the desk',
  'SHF-203': 'What an operator does for a customer, of which the customer is told, stops the clock',
  'SHF-183':
    'An operator who comes back is told once whose ticket came or went meanwhile, why, where it is now, and what waits',
  'SHF-146': 'On a telephone the details of a ticket say its number, channel and when it was opened',
  'SHF-122':
    'A customer who comes back in another browser is first offered the conversation in which the team answered',
  'SHF-100': 'Skills are called at the desk by a title in its language, where their packs have one',
  'SHF-96':
    'An operator lifts the block of a customer from the ticket, by the gate, and the customer is told',
  'SHF-95': 'Marking tickets moves no row of the list from under the hand',
  'SHF-75': 'A request that a server under load did not come to read in time is sent again by the page',
  'SHF-42': 'The title of the chat counts the answers that come while the page lies behind another',
  'SHF-44': "The embed's button counts unread answers before the chat was opened in this page",
  'SHF-45':
    'Customer and operator see that the other one is typing, for as long as that lasts, and nothing of what is typed',
  'CSA-01':
    'The customer of a ticket that an operator has resolved is asked once how that was; the rating stands there and counts for the operator',
  'CSA-02': 'Who writes by mail is asked in the mail, and rates by a reply that nobody else can send',
  'SHF-46':
    'Who asks for it hears a sound or gets a notification of the browser for an answer out of sight; both are off until then',
  'SHF-47':
    "What the hub notes on a ticket, and what its investigations ask, stands there in the operator's language",
  'SHF-48':
    'A colleague who is named with @ in a note is told, and nobody else is; the customer sees nothing of it',
  'SHF-49':
    'A shift ends by itself at the time its operator has set, and gives back the tickets whose customers wait',
  'SHF-43':
    'A sign-in that its person asked to keep is there in a second tab and after a restart, any other is not; signing out reaches every tab',
  'LED-05':
    'Who did what and when across all tickets is told in whole sentences, by person and day, and saved as CSV',
  'LED-06':
    'An operator who signs out gives the tickets whose customers wait back to the queue, with a word to them and a note',
  'SHF-08': 'What stands against a customer (blocked, paused, money owed) is a badge on the ticket',

  // E-mail
  'MAI-01':
    'What the hub or an operator answers leaves as a mail of its conversation, with a signed reply address',
  'MAI-02':
    'An answer that no page has shown within the set time is sent by mail, once; one that was shown is not',
  'MAI-03': 'A customer who prefers e-mail is written to, in their language',
  'MAI-04':
    'A mail that is not taken is tried again under the same Message-ID, until it is refused for good; none is lost',
  'MAI-05':
    'A notice says how to end notices, by mail and with one click; a forged, changed or old token ends none',
  'MAI-06': 'No subject, no name and no message smuggles a header or an address into a mail',
  'MAI-10':
    'A mail whose sender the own mail server has verified opens a ticket of that customer, and is answered by mail',
  'MAI-11':
    'A forged sender, and forged results of a mail server, make a visitor, who sees and changes nothing of an account',
  'MAI-12':
    'A reply to a signed address joins its conversation; a token of another one, changed or too old proves nothing',
  'MAI-13': 'The same mail again acts once',
  'MAI-14': 'A yes by mail answers the question of the mail that it replies to, and no later one',
  'MAI-15': 'Quotations and signatures are no part of what was said, in text and in HTML alone',
  'MAI-16': 'Automatic mails, lists and own mails are not answered: two hubs that write to each other stop',
  'MAI-17':
    'One sender is answered so often an hour, and whoever forges an address uses up nothing of its owner',
  'MAI-18': 'A mail that comes back is noted on its ticket, by nobody but a server that got it',
  'MAI-19':
    'Attachments are kept within limits with the message, what is left out is named on the ticket; of a mail of 20 MB the beginning is read',
  'MAI-20':
    'The mailbox of a real server is followed over IMAP, over connections that break, by one process at a time',
  'MAI-22': 'A conversation is held over a real mail server, Postfix, into a real mailbox, Dovecot, and back',
  'MAI-21': 'Export and erasure cover mails and their attachments',

  // Files of messages
  'ATT-01': 'Both sides send files with their messages, see those of the other, and get them as they were',
  'ATT-02': 'A file may be all there is; the hub says that it cannot look inside, and invents nothing',
  'ATT-03':
    'What a file is its first bytes say; what is not on the list, or not what its name says, is refused',
  'ATT-04': 'Too large and too many is refused, names lead nowhere, and nothing is shown but raster pictures',
  'ATT-05': 'A file is reached by its conversation alone: its customer, its visitor, and operators',
  'ATT-06': 'A message and its files are taken together or not at all; files without one are swept',
  'ATT-07': 'How many files come in a minute, and how much a conversation holds, is bounded',
  'ATT-08': 'Export and erasure cover files, and the search for remains finds them',
  'ATT-09': 'A reply with a file leaves by mail with it',
  'ATT-10':
    'In chat and desk files are chosen, dropped and pasted, shown before they are sent, and refused in a clear sentence',

  // Operations
  'OPS-01': 'Turns, times, tools, agents, escalations, decisions, the queue and the process are measured',
  'OPS-02': 'Tokens, cost, calls and their time are measured by agent and provider, faults by kind',
  'OPS-03': 'Commands count nothing, each App counts apart, names carry units and help',
  'OPS-04': 'Labels hold no person and nothing that strangers choose',
  'OPS-05': 'At the ceiling of a ticket the rules answer; it is logged once and counted',
  'OPS-06': 'The ceiling of a month follows the time zone',
  'OPS-07': 'Ceilings are shared by processes and survive a restart',
  'OPS-08': 'A turn is one trace with spans for agents, tools, model calls and retrieval',
  'OPS-09': 'A collector that fails disturbs no turn; without one nothing is loaded',
  'OPS-10': 'The checkpoints of a long conversation grow linearly and stay small',
  'OPS-11': 'Over 150 offline turns a second with 50 connections, without an error',
  'OPS-12': 'The first event of a turn leaves within 30 ms beyond the time of the model',
  'OPS-13': 'One process holds 2,000 open event streams in under 1 GB',
  'OPS-14': 'Memory stays flat under load',
  // WRK-01 to WRK-04 and MCH-14 spoke of HUB_WORKERS, several processes that serve one directory; it is gone.
  'WRK-05': 'HUB_WORKERS above 1 is refused in a sentence that says that the hub serves in one process',
  'BGW-01': 'triage --distributed has all workers of a database classify, byte for byte as one machine does',
  'BGW-02': 'A worker that is killed over a part of a batch loses and doubles nothing',
  'DEP-01':
    'The files for containers name settings, programs, addresses and figures that there are, and say what was not tried',
  'BGW-03': 'Work that is repeated is done by one server at a time, and goes on where that one is gone',
  'PGS-01': 'The stores keep the contract of their ports on PostgreSQL as on SQLite',
  'PGS-02':
    'The schema on PostgreSQL is made whole or not at all, once by several at the same moment, and refused where a newer hub wrote it',
  'PGS-03': 'Tables, columns, indexes and guards are the same on both engines',
  'PGS-04':
    'A unit of work on PostgreSQL happens once or not at all, whatever it collides with, and its statements are those of SQLite',
  'PGS-05':
    'Checkpoints on PostgreSQL pass the library’s conformance suite and keep only what a conversation needs to go on',
  'PGS-06':
    'HUB_DATABASE_URL keeps conversations, approvals and checkpoints on PostgreSQL over restarts, and money moves once',
  'PGS-07': 'What cannot be done on PostgreSQL yet, or with this database, is refused in a sentence',
  'PGS-08':
    'Of two servers on one database one at a time works on a conversation, in the order of its messages',
  'PGS-09':
    'A turn that one server runs is followed whole on another, and resumed there by the id of an event',
  'PGS-10': 'A server that dies in a turn loses and doubles nothing: another one finishes',
  'PGS-11': 'What is asked on one server is confirmed and approved on another, and performed once',
  'PGS-13': 'Rate limits are counted for all servers of one database together',
  'PGS-14':
    'An installation moves from SQLite to PostgreSQL whole, resumably and compared, and open questions go on',
  'PGS-15':
    'The company’s data are on PostgreSQL beside the hub’s, in a schema of their own, and keep the same contracts',
  'PGS-16':
    'Skills ask the hub’s and the company’s data on PostgreSQL as they ask files, within the same scope',
  'PGS-17':
    'A server that is killed before, in or after an effect moves money once, and another one says so once',
  'PGS-18': 'A customer’s data on PostgreSQL are exported, erased and searched for remains as those in files',
  'PGS-19': 'Behind a pool in transaction mode everything works but LISTEN, which takes a direct address',
  'PGS-12':
    'A writer whose lease was taken by another server writes nothing more, in its stores and checkpoints',
  'PRF-01': 'The index is asked once for what many ask at the same time, and changes are seen',
  'PRF-02': 'Turns that wait are let in one after the other, in order',
  'PRF-03': 'Checkpoints are written as the library writes them, and read by either',
  'PRF-04': 'Linked signals end with the first of their sources, and let go of them',
  'PRV-01': 'Log, metrics and traces hold no personal data',
  'PRV-02': 'An export has everything about a customer and nothing of others',
  'PRV-03':
    "An erasure removes a customer everywhere, keeps the books without a person, and changes no other's rows",
  'PRV-04': 'It proves that by searching all bytes, and says what is left',
  'PRV-05': 'Late writes are refused',
  'PRV-06': 'A second erasure says that it is done; an unknown address is wrong usage',
  'PRV-07': 'Killed at any step and asked again, it is completed',
  'PRV-08': 'A turn that is running is ended and leaves nothing',
  'PRV-09': 'A log that is being written loses no other line',
} as const satisfies Readonly<Record<string, string>>;
