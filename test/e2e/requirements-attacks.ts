/** The clauses that attacks and suites of others have found wanting. Part of `requirements.ts`. */
export const ATTACK_REQUIREMENTS = {
  'ATK-01':
    'A customer withdraws an open request through every door until it is performed; of that and an operator’s yes one counts',
  'ATK-02': 'What was promised survives a power cut, or is made good at the next start, or a person is told.',
  'ATKB-02':
    'A turn waits for the disk only for promises; its bookkeeping goes to the disk with the next of them',
  'ATK-03':
    'A used directory that lost a database is refused; only a new one is filled, with demo data where wanted.',
  'ATK-04':
    'A database that another process holds delays a turn and nothing else: no frozen server, no lost or doubled message',
  'ATKB-04': 'A lease that ran out while nobody could renew it is not taken from a holder that lives.',
  'ATK-05':
    'Readiness proves a write, a read and a signature, and names the part that a full disk or a spoilt secret stops',
  'ATK-06':
    'A model’s answer claims no deed, promise or figure that tools, records, rules or sources of its turn do not bear',
  'ATK-07': 'Every faulty draft of a turn is removed, in any order, also one of an agent elsewhere',
  'GRD-01':
    'Where a model’s second answer does not hold either, the agent’s rules answer from what was read; a person where they cannot',
  'GRD-02':
    'A sentence of a model that claims, promises or counts what no article of its turn says is not sent: their own passages on it are, at once',
  'GRD-03':
    'What a model says was done with a record that was read, and is not so by that very record, the agent’s rules say at once',
  'GRD-04':
    'An amount, day, hour or number that an answer gives of a record is not another record’s; else rules say it',
  'GRD-05': 'What is sent instead of a model’s words has every passage of the articles that they draw on',
  'GRD-08': 'A figure that an article gives of one thing is not said of another',
  'GRD-09':
    'What no article bears out is answered from the articles that were read or by rules at once, whatever is wrong with it',
  'GRD-10':
    'The check of an answer of 2,000 characters takes a few milliseconds (bar: 8), its sources read before',
  'GRD-11':
    'An answer that claims no deed, promises nothing and gives no wrong figure goes out in the model’s own words',
  'GRD-12':
    'What the company’s own files say of a refusal, a change or a finding is no claim, whoever repeats it',
  'GRD-60':
    'An amount or a day that the records have is said of nothing but what its sentence speaks of and what has it',
  'GRD-61': 'A number of the customer’s own things is that of those which the words of its sentence pick out',
  'GRD-62':
    'A place that an answer gives of a thing, and the plan that it says a customer has, are those of the record',
  'GRD-06': 'Kind words that commit to nothing are no claim: they cost an answer nothing',
  'ATK-08':
    'Answers of models have a longest length and an honest end, and no secret of a customer leaves for a provider',
  'ATK-09':
    'A call with an effect that a model repeats within a turn gives the first result, and no second effect',
  'ATK-10':
    'A visitor over A2A has what its secret or an unguessable id proves, and lists nothing without one',
  'ATK-11':
    'Guessing at one-time codes slows down and locks nobody out: the right person gets in, the owner is told',
  'ATK-12':
    'The data directory and all that is in it is for its owner alone, under any umask, and mended at start.',
  'ATK-13':
    'Tokens name maker and audience, keys rotate without signing out, and program tokens are revoked one by one',
  'ATK-14': 'Webhooks are signed, kept in an outbox, tried for 24 hours in order, replayable and bounded',
  'ATK-15':
    'Triage CSV holds no formula; quotes, quoted mail, code and orders about labels weigh nothing in triage',
  'ATK-16':
    'A search in any script answers, and finds a text by its own words, with and without points and vowels',
  'ATK-17':
    'A damaged vector index is set aside once and built anew by itself; meanwhile keyword search answers',
  'ATK-18':
    'A turn costs as much in a conversation of thousands of turns as in a short one, and memory does not grow with them',
  'ATKB-18': 'A serving process collects its heap before garbage outgrows what is alive in it.',
  'ATK-20':
    'The API document names every operation, server and status that wrong requests meet, and its linter finds no error',
  'ATK-19':
    'The log turns by size and age with several processes at work, loses no line, and is erased in every file',
  'ATKB-19': 'An error of a damaged database names the file and the next step, in one line and in the log',
  'ATK-21':
    'No migration loses a trigger: one file declares them all, and they are made again after each migration.',
  'ATK-22':
    'No test depends on the speed of the machine: none sleeps, has a bar on time, or a short time-out',
  'ATK-23':
    'What reads a message takes time that grows no faster than it, whatever is said in it again and again',
  'ATK-24':
    'A read that YAML holds to the customer asks for nothing where what holds it is missing, and no id leads out of its path',
  'ATK-25':
    'What another system or a statement did not surely do is not said to be done, and what it may have done is not said to be refused',
  'ATK-26':
    'A one-time code is asked for by an e-mail address alone, so that guesses at one customer count together',
  'TALK-01': 'Experiences of the demo start at hours when people go out, whenever the demo is first used',
  'TALK-02':
    'The list of bookings holds all that is ahead, soonest first, and what is over where asked for; dates say their year',
  'TALK-03':
    'A ticket’s summary, category and priority are those of all that was asked in it, not of the last word of thanks',
  'NLU-01':
    'What is no matter of the company’s is told by a chance of its own, in either language, also another trade’s business',
  'NLU-02':
    'Danger, discrimination, threats of law and stolen accounts reach a person, said outright or not; little else does',
  'NLU-05':
    'What a chatty message asks is read without greeting, story and mood around it, and with what the answer depends on',
  'NLU-04': 'Danger is told from broken things and trips in any trade, and heard where somebody is harmed',
  'NLU-03':
    'A slip of the pen or chat shorthand changes neither the route of a message nor whether a person is called',
  'TALK-04':
    'A ticket that waits for operators mutes nothing: what can be answered is, what cannot is added and so told',
  'TALK-05': 'Thanks, a yes or a no with a request beside it is that request; alone it is answered in kind',
  'TALK-06':
    'Violence and self-harm go to a person at once, urgent, and the customer reads whom to call first',
  'TALK-07': 'Memory holds what came of each ticket, and a greeting quotes no earlier request',
  'TALK-09': 'Grief, trouble and joy are answered with a word of their own, once, beside what was asked',
  'TALK-10':
    'Who may take their life, or fears it of another, is met with kindness, told the help line of the country, and given to a person at once',
  'TALK-08': 'Preferences have open keys, and operators read them with what is escalated',
  'PAGE-01':
    'An operator sees a customer’s records as the company declares and names them, in either language; no surface knows them',
  'PAGE-02':
    'In the API reference a request can be tried out, under the policy of the pages, and nothing comes from elsewhere',
  'PAGE-03': 'What the pages know of the API is generated from its document, and is never behind it',
  'PAGE-04':
    'What the pages say stands in text files, one a language, as ICU messages; a language is added by files alone',
  'PAGE-05':
    'The pages take name, currency, subjects, welcome and names of arguments from the company, and know none by themselves',
  'PAGE-06': 'A stream ends when the session it was opened with has ended, by time as by revocation',
  'COMP-01':
    'An agent with a route of its own is triaged to, answers and is kept, and no schema or rule has to know of it',
  'COMP-02':
    'Issue types are those that the company declares, and no border takes another: model, API, desk and storage',
  'COMP-03':
    'Intents, their utterances and the trained model are the company’s; those that any company has are the engine’s',
  'COMP-04':
    'How ids of records are written and what the records are called is said by the company, not by the engine',
  'COMP-05':
    'The agents without a model work over the records, tools and intents that a company declares, whatever its trade',
  'COMP-06':
    'A second company of another trade, currency and time zone is answered, acts, asks and waits for operators by the same engine',
  'COMP-07':
    'Programs are given a company’s own tools over MCP and A2A, and no text says a word of another company',
  'COMP-08':
    'A company’s own languages are spoken and no other, and its customers are erased in its own database',
  'HOU-01':
    'A tool brings its sentences and says which intents it does: no text file and no list of intents has to know of it',
  'HOU-02':
    'An agent without rules of its own answers without a model by its tools, in the words that they say',
  'HOU-03':
    'Sentences that a tool lacks in a language of the company, or that are no messages, are named at start and by the check',
  'HOU-04': 'An intent is taught by sentences that stand with it',
  'HOU-06':
    'An agent of a company’s own stands with its tools in the company’s roster, and needs neither a prompt nor rules',
  'HOU-07':
    'What the terminal and combined skills say around an answer comes from text files, in every language of the company',
  'HOU-05': 'The house has at most 24 rooms, and imports run along at most 70 ways between them',
  'EVAL-01':
    'Scenarios are files of the company; a broken one is refused with file, line, what is wrong and what there is',
  'EVAL-02':
    'Every kind of expectation fails where it does not hold: words, sources, questions, rows, tools, escalation, language',
  'EVAL-03':
    'Each run of a scenario has fresh data of its own; pass@1 and pass^k by category, language, agent',
  'EVAL-04': 'Of each failure the first step that went wrong is named, from the trace of its turn',
  'EVAL-05':
    'The report is a table, JSON, and one page that needs nothing else, opened at the blamed step of each failure',
  'EVAL-06': 'A run whose pass rate falls below the baseline, in all or in a group, ends with code 1',
  'EVAL-07': 'Simulated customers need a model; without one they are reported as skipped, never as passed',
  'EVAL-08':
    'Evaluation runs against any OpenAI-compatible server, with calls, tokens and cost a solved ticket',
  'EVAL-09': 'The conversations of the company that ships pass as often as their committed baseline says',
  'DLG-01':
    'What is asked about a record that was just shown is answered from it, by what the entity declares: “where is the second one?”',
  'DLG-02':
    'The hub says why, what it did, whether it worked, what became of a request, and that it is there, from what is stored',
  'DLG-03': 'Small talk, praise and what the hub cannot do have a sentence of their own, and go to no person',
  'DLG-04':
    'A yes in whole sentences is a yes to exactly what was asked; a question beside it is answered first, and the confirmation stays open',
  'SPK-01':
    'A company speaks the languages that it lists, one or several; what is read and demanded is of those alone.',
  'SPK-02':
    'What the engine knows of a language stands in files of that language, and a language is added by files alone.',
  'SPK-03':
    'A company in Spanish and English answers, asks, acts and waits for an operator in either, by the same engine.',
  'SPK-04':
    'One command names every fault of a company and every gap, with file, line, and what to do about it.',
  'DLG-05':
    'Corrections, several at once, all but one and “it” mean the records they mean, each with a yes of its own',
  'DLG-06': 'What customers go through colours the answer: sympathy first, then what can be done about it',
  'DLG-07':
    'A taught model tells what a short message does after what was said before; a yes counts where it is sure and no word holds it back',
  'DLG-08':
    'The other matter beside a yes or a no is worked on next; who wants time to think keeps the question open',
  'DLG-09': 'Who answers, what it can do, haste and insults have an answer of their own, and trouble nobody',
  'DLG-10':
    'A question that makes sense only with what was just said is looked up with it, and its own words choose the part',
  'DLG-11':
    'The cheapest, the dearest, the soonest and the last mean the record they mean, in questions and in changes',
  'DLG-12': 'A correction in few words changes what it names, and keeps the rest of what was asked about',
  'DLG-13': 'An angry tone keeps nothing from being looked into; a person takes over with what was found',
  'DLG-14':
    'What is on is looked up by the city, day and audience named last; for a city without anything the customer hears where the company is',
  'DLG-15':
    'A question after an answer is looked up as it stands too: what answers it wins, and no passage is sent twice in a row',
  'DLG-16':
    'Who only gives an e-mail address is told that it signs nobody in, and how to sign in; who asks the name is told who answers',
  'DLG-50':
    'A question about what is open is answered from its terms or record; then it is asked again in one line',
  'DLG-51': 'What a change would come to is told and offered; a yes to that only asks for its confirmation',
  'DLG-30':
    'What is asked about an event is answered from its record, be it shown, named or booked, or it is said that its page does not tell',
  'DLG-31':
    'Several questions in a message are all answered: those about records from these, the others by the agents they are for',
  'DLG-52':
    'Several requests are worked on one after the other, each said to come; what is to be kept is left out',
  'DLG-32':
    'The programme is searched by kind, city, day, price and audience, in any words for them; every entry is found by each',
  'DLG-33':
    'A few words after a list of what is on change what they name and keep the rest: “and in Rio?”, “something else?”',
  'DLG-34':
    'Where nothing fits, what is nearest is shown and named so: another day, another kind, another city',
  'RCD-01':
    'A list is narrowed down by ranges of days, several days, months, days of the week, hours, places, prices and what is left',
  'RCD-02':
    'A message is the question for a list where every word of it only says which, and whose; what points at one record is none',
  'RCD-03':
    'All that narrows a list down holds at once and is said; a fragment changes one of it; where nothing fits, the nearest is shown',
  'RCD-04':
    'What the customer has is told from what anybody may choose, which comes first and is marked where they have it already',
  'RCD-05':
    'What is asked about a refund or a time just spoken of is told by its record: when, how long, how far off, and why',
  'RCD-06': 'Who says that they asked for nobody keeps talking to the hub; who asks for a person gets one',
  'RCD-07':
    'Ages, children, adults and company are no danger and no wish for a person where every word asks who comes along; harm told plainly is danger',
  'RCD-08':
    'A few words ask for a list: a region, “there”, a kind and a day, holidays; what is said before them changes nothing',
  'RCD-09': 'A word that may stand in any sentence names no record, even where its title holds it',
  'RCD-10':
    'Whether one can be at several things is told by when they begin, and how long they take where that is known',
  'RCD-11':
    'When and how much is paid next is told in any words for it, of a day that is still to come; payments of some days where those are asked for',
  'RCD-12':
    'What cancelling now would give back is told of the booking that is named, else of each; nothing is asked or offered by it',
  'RCD-13': 'Whether something is booked twice is answered by the bookings, with yes or no first',
  'RCD-14': 'A refund that is asked after is told alone: whether it was made, when, or why there is none',
  'RCD-16':
    'What anybody may book is known by its name, also behind “a ticket for”, and where a word of the name may be a day',
  'RCD-17':
    'Whether they can go somewhere customers hear with yes or no: by booking, plan, the visits of that month and the places left',
  'RCD-18':
    'A question why that names something is answered about that, where nothing was said or done that it may be the reason of',
  'RCD-19':
    'An answer of some length that comes twice in a row is said to be the same, with what to do if something else was meant',
  'RCD-20':
    'What was paid in a period is listed with its sum and what of it went back; another period may follow, and the payment before one',
  'RCD-21':
    'Whether and when a booking was cancelled is told of the one that is named, and nothing is cancelled for it',
  'RCD-22':
    'Days on which somebody is busy are not those that are wished; parts of a day and since when are read as they are meant',
  'RCD-23':
    'What is asked about the own plan, its money, the block and the bookings is answered from the record, and nothing else is',
  'RCD-24':
    'What named bookings come to, how they compare, and whether one is then, there or paid is told from the record, yes or no first',
  'RCD-25':
    'A charge that is told of is looked into for what is told: twice, or after the end; no two bookings are compared for it',
  'RCD-15': 'Who wants a receipt hears where it is, and of the very payment where they name one',
  'DLG-36':
    'Of their own records customers hear what they ask about: the next or last charge, the price of the plan, what is booked',
  'DLG-35':
    'Who asks to book hears of the very event when, where, at what price, with how many places left, and what to tap',
  'DLG-60':
    'Within the days of the law a customer withdraws from the subscription: by the record, with exact terms and a yes, paid back once',
  'DLG-61':
    'Who may not withdraw hears why, by their own dates, and what they can do; who may hears of it before cancelling for nothing',
  'DLG-62':
    'What is withdrawn from is what the words say: the subscription, a booking, or a rule; it takes the place of an open question',
  'DLG-63':
    'Who wants a pause to begin on a later day hears at once that it begins today, what they can do, and when it could end instead',
  'DLG-64':
    'Days that are named after a question correct it, also beside a no; a yes is never taken for other days than those said last',
  'DLG-65':
    'Who wants a change undone is offered what puts it back, which is then asked for like any other change',
  'DLG-70':
    'A question, a report, another wish or a correction is neither yes nor no: what was asked stays open, and nothing is said twice',
  'DLG-71': 'Who stops the hub for a moment has refused nothing: what is said after the stop is what counts',
  'DLG-72':
    'A number said in the place of another corrects what is asked about, and a bare "leave it" where nothing is open changes nothing',
  'DLG-73':
    'Of two changes of which one is wanted only where the other cannot be had, the first is asked about; a threat is no second choice',
  'DLG-80':
    'What cannot be done is refused with the reason and with what is possible instead, and the reason is told again where it is asked for',
  'DLG-74':
    'Each of several wishes of a message is answered: a trouble told and a question beside it, two things to be told, what is done and how',
  'DLG-75':
    'Who wants people of the company to look at something is handed over with it; who asks how that is done is told how',
  'DLG-76':
    'Money is asked back for what a customer went to: nothing that is still to come is offered for it',
  'DLG-81':
    'What a message says that it does not mean is left out, beside an open question too, and what is meant instead is answered',
  'DLG-82':
    'A fault is looked for only where one is told: not where a rule is argued about, none is there, or the hub cannot do something',
  'DLG-83': 'Who gives up what was asked, with thanks and a word on something else, troubles nobody',
  'DLG-85':
    'What a message takes back itself is not asked about, whichever words do it: neither a record nor a number, nor what it agreed to before',
  'DLG-86':
    'An article that all but certainly answers goes before a record, a change or a procedure that is only guessed at',
  'DLG-87':
    'Who mourns and speaks of another person’s account is offered no change of their own, and gets a person',
  'DLG-88': 'What is asked beside a wish that is for a person is answered, and the wish is passed on',
  'DLG-89':
    'Whether a change that was just made is confirmed in writing is told of that change, and asked of nothing it is a question like any other',
  'DLG-90':
    'What is asked beside a yes about what it would do is told of that very change before anything is done',
  'DLG-91':
    'After a wish for a person the next matter stands by itself, and a fault that no procedure knows is asked back about before a person is',
  'DLG-92':
    'What is said after a list, a question back or a button is read by what was shown, and being left at that is an end',
  'DLG-93':
    'What was just done can be asked about, wanted for another record, or with another length; and a condition of a wish is met by its terms',
  'DLG-84':
    'That a part of a message has no answer is said once, without quoting it; what only the customer can do is said to be so',
  'QST-01':
    'What customers ask of their own record is read in words that no rule has, where the company has taught the question',
  'QST-02':
    'A question how things are is answered from its article, whatever words of records and lists stand in it',
  'QST-03':
    'Who gives the details that an article asked for, or ends a message with the wish for a person, is passed on',
  'QST-04': 'Names, numbers and a borrowed word amid a conversation do not change its language',
  'QST-05':
    'A file of questions with a line that is none is refused by its number, and a company without one has its rules alone',
  'QST-06':
    'A company in YAML that teaches questions has their model made with that of its intents, and is told of a name that nothing asks',
  'QST-07':
    'What a message is answered with is read in its conversation, by what judged conversations have taught',
  'QST-08':
    'No reading of a message keeps danger or the law from people, or one of two requests from its answer',
  'QST-09': 'Every labelled message that teaches names a kind and articles that there are',
  'FUP-01':
    'The time of a greeting or of small talk narrows no list down; one that is asked for does, whatever stands beside it',
  'FUP-02':
    'A few words after a question ask it again with another record, number, time or way to pay in it, and change nothing',
  'FUP-03':
    'How many a list holds and that a place has nothing is said, and what is no such question stays what it is',
  'FUP-04': 'How what was changed or blocked is undone is told, and goes to no person',
  'FUP-05':
    'A question after an escalation is answered, with one sentence that the matter before it is with a person',
  'FUP-06':
    'What was asked for beside a change is come to after it also in a process that began since, and asked about before it is done',
  'FUP-07':
    'An order in a sentence of its own is a yes whatever is asked after it; a bare yes before a question may hang on it',
  'FUP-08': 'An order beside a question about another record is asked about, and the question answered',
  'DLG-53':
    'Who only tells something, says thanks or makes small talk gets a human word, and nobody is troubled',
  'DLG-54':
    'A message that is not understood is asked back about once, with its plausible readings and a person as the last choice',
  'KNOW-01':
    'An answer is the part of the article that answers: lists and tables whole with their sentence, never an introduction alone',
  'KNOW-02':
    'The gate compares the confidence that a calibration reports: that of the first hit, measured with the passage that is sent',
  'KNOW-03': 'A word with one slip is searched for as it was meant',
  'KNOW-04':
    'Labelled questions teach which article answers and what none answers; articles that none names are judged as anywhere',
  'KNOW-05':
    'An article that labelled questions name is looked at also where neither its words nor its vector are near the query',
  'KNOW-06':
    'Greeting, thanks, apology and who is writing, said around a question, change nothing of what is found for it',
  'KNOW-08': 'Further questions are learned beside what is known, so that answers to the others stay',
  'KNOW-07':
    'What labelled questions teach is measured by the hand that wrote them, on questions that were held out',
  'KNOW-10':
    'What answers a question stands first, and a question for a fact gets about sixty words at most, of any company’s articles',
  'KNOW-11':
    'No sentence of an answer stands without the one that it leans on, and no step without the others where one asks how',
  'KNOW-13':
    'What was said last is never said again as the answer: what else the article says is, or that it says no more',
  'KNOW-14':
    'Indexing warns of what in an article speaks to a program, and of links to another site, because answers quote articles',
  'KNOW-12':
    'Which sentence of an article answers is learned from questions that name theirs, and holds on articles it did not see',

  'KNOW-15':
    'A question at the end of a story, or between what else is said, is looked up by itself too, unless the story is about something else',
  'KNOW-16': 'What a record or an event is called counts for nothing in what is asked about it',
  'KNOW-17':
    'A question that says too little by itself is looked up with the one before it, and answered so only where the article speaks of it',
  'KNOW-18':
    'A question of which triage can only guess what it wants goes by its clear sentence, and never becomes a change',
  'KNOW-19':
    'Whether something on record still holds is answered with yes or no first, and until when with the day alone',
  'KNOW-20':
    'Of the programme the one event that is named is shown alone, and what an article answers is no change of a search',
  'KNOW-25':
    'Who is not signed in is answered from an article where one answers, and hears what signing in would add',
  'KNOW-27':
    'What only touches a topic that a person is called for is answered from an article where it is calmly asked',
  'KNOW-28':
    'How sure an article is comes from questions of writers of whom it has learned nothing, where there are several',
  'KNOW-29':
    'A question of few words that an article surely answers is answered from it, whatever was spoken of before.',
  'KNOW-30':
    'An article that surely answers goes before a guess at small talk, another trade, a record or a change.',
  'KNOW-37': 'Who doubts whether all is in order is calmed; a rule is told where no record is asked',
  'KNOW-36':
    'A few words that ask for an amount, a time or a number are answered from the article of the last answer, which gives one',
  'DLG-45':
    'What nobody can change is answered with the change that can be made instead, and a yes to that asks for it',
  'DLG-46': 'Where an answer tells the customer what to say for a change, a yes says it',
  'DLG-47':
    'Ordinals count in what was asked for together or listed last, and a list is asked about again as it was',
  'DLG-48':
    'A question that the last answer has answered gets the sentence of it that answers, not all of it again',
  'DLG-49':
    'A few words after an answer are heard as what they do: a doubt, no help, a question of its article, a wish for its number',
  'PREF-30': 'A wish to be sent one thing one way is no wish for all that follows',
  'DLG-99':
    'A question which record is meant stays open while records are only shown, and "they" asks of each that was shown',
  'TALK-12':
    'What somebody tells of where they come from is no grievance by itself: their question is answered',
  'DLG-98':
    'After a word of courtesy a change is asked for, and "that" is what was spoken of last, also where it was turned down',
  'KNOW-31': 'A question as people type it finds the article that answers it, surely enough to be answered.',
  'KNOW-38':
    'Everyday questions of signing in, joining, paying and things lost are answered by their article.',
  'KNOW-32': 'What is asked of a relative is answered as of any friend, whom the articles speak of.',
  'KNOW-26':
    'Which sentence answers is learned for each article by itself from questions that name it, as long as the article says the same',
  'KNOW-21':
    'Neither praise nor another trade’s business goes to a person, and who waits for one is not told so twice at length',
  'KNOW-22':
    'Steps come first and whole where one asks how or is in trouble, and no single step stands among other sentences',
  'KNOW-23': 'A question for a price that names no plan is answered with that of the customer’s own first',

  'DLG-17':
    'A question beside what waits for a yes is answered with those of its terms that it asks for, and the question stays open',
  'DLG-18': 'Changes that are compared are told by what would come of each',
  'DLG-19': 'To name another change than the one that waits for a yes is no yes to it, however it begins',
  'DLG-20': 'What is agreed to in a sentence of its own is done before what is asked apart is answered',
  'DLG-21': 'Not to want what was spoken of any more is the wish to end it, and asks for its confirmation',
  'DLG-22': 'Two changes that are to follow each other are both asked about, in their order',
  'DLG-23': 'What is to be kept in mind is kept without what is asked beside it, and that is done too',
  'DLG-24': 'A few words after talk of the plan ask about the plan, and about no booking',
  'DLG-25':
    'A place that takes the place of another asks the same of it, whether the company is there or not',
  'DLG-26': 'After a word that the last answer was none, what is asked counts',
  'DLG-27':
    'What is told after an escalation joins its ticket, the customer hears so, and its number when asked for',
  'DLG-38':
    'A yes to what can be put back, or is decided by the team, is taken beside a question about the next step; a doubt holds it back',
  'DLG-39':
    'An order in words that lean on what was just said, a length of time or “take it off”, asks for the confirmation of what it means',
  'DLG-40':
    'What a change that is named would bring is told by its terms or its article, whether it can be made now or not, and nothing is pushed',
  'DLG-42':
    'A record that is named only as the reason of a change, or as what somebody goes to, is not changed with it',
  'DLG-43':
    'Of several records that a message names, those it wants changed are told from those to stay and from those it gives as reasons',
  'DLG-44':
    'What asks for something is answered, and taken for no thanks, no withdrawal and no misunderstanding by a word of it',
  'DLG-41':
    'What stands beside a question is answered too, mere talk is not, and who asks something else reads no reproach',
  'DLG-28': 'How one gets at one’s own data is told before the request goes to a person',
  'DLG-37': 'What was paid in a month or a year is told of all its payments, and of no one booking',
  'DLG-110':
    'A refused payment is told with the one that made good for it, and nothing that was paid is called open',
  'DLG-111':
    'A fee charged after the end of the plan is seen with the last charge or the end, and goes to a person',
  'DLG-112': 'Whether the plan is over is answered with a yes or a no first',
  'DLG-113': 'What the customer has been to is told of the past, the last one alone where that is asked',
  'DLG-114': 'What was booked before the plan ended stays valid, and who asks hears a yes',
  'DLG-115':
    'What was asked of the team in another conversation is told with its day, and that it is not decided',
  'DLG-116': 'The wish for a smaller plan is answered from the record, and never with an upgrade',
  'DLG-117': 'Visits of a later month are those of that month, with a yes or a no to an expected number',
  'DLG-118': 'Until when the plan runs and what the last fee was are told in one sentence',
  'DLG-119': 'Without a refund what was cancelled is told, and that no payment comes near an amount',
  'DLG-100':
    'The first, the second and the last one are counted in the list as it was shown, also to book or like one',
  'DLG-101': 'Who is asked which one and asks what there is reads the list again',
  'DLG-102':
    'What was done is taken back where the last sentence of a message asks for it, whatever is told before',
  'DLG-103': 'An article that asks to be told something here is not repeated to who does: the team gets it',
  'DLG-104': 'What a customer wants told to the team is added to the request that waits',
  'DLG-105': 'A place where nothing is on is said not to be one of ours, also in a first question',
  'DLG-106': 'Who asks for the way is told the place and where its map is',
  'DLG-107': 'An amount that was just named is meant by who wants it back, and no booking that has another',
  'DLG-108': 'On which day and with how much the charges start again is said before a pause is ended',
  'DLG-109': 'Whether a plan is paused is told from the record, and how to pause from the article',
  'DLG-120': 'A question about when people answer is answered, and calls none of them',
  'DLG-121': 'A day on which nothing is booked is named as a day, and not as a title',
  'DLG-122': 'A word of delight before a question is no search',
  'DLG-123': 'The bookings that a month had, and the day on which a plan ended, are told of the past',
  'DLG-124': 'When the team answers is told while something waits, also after more was told',
  'DLG-125': 'A refund that was spoken of and is late is looked into, and passed on where its term is over',
  'DLG-126': 'An offer to show more is taken up by a yes and in the words of the offer',
  'DLG-127': 'What would come of a change that waits for the team is told, and no other change is asked for',
  'DLG-128': 'When money comes is told after a change without saying once more what was done',
  'DLG-132': 'Who says that it was somebody else, as an answer asked to be told, is passed to a person',
  'DLG-133': 'What an article asks to be told here is passed on when it is told, and not asked for again',
  'DLG-134':
    'A complaint of what was told before goes to a person; how to complain is told with all its steps',
  'DLG-135': 'What a message says was meant is asked, and offers no change that nobody spoke of',
  'DLG-136': 'A change that is wanted in the place of another is the one that is asked about',
  'DLG-137': 'Another figure beside a yes is asked about anew, and nothing is done with the former one',
  'DLG-138': 'What is to be kept of several stays, and its question is not asked a second time',
  'DLG-139': 'Who waits for a person is told by when one answers, and no person is called for again',
  'DLG-140':
    'A fee that was taken after the end goes to a person, and no booking is offered to be cancelled for it',
  'DLG-141':
    'Until when a booking can be given up is told by its name, with who must agree only where someone must',
  'DLG-142': 'A name of what is theirs alone shows it, also two in one message',
  'DLG-143': 'No introduction of a list stands where all its items were said before',
  'DLG-144': 'The coming week and weekend are read also where they are written in short',
  'DLG-149':
    'Of several changes what is to be kept stays, what is to be done is asked about, and what is told is no order',
  'DLG-150': 'A wish for a person that stands behind what is told reaches one, whatever the record answers',
  'DLG-179':
    'Money that is wanted back beside a case that is looked into is that of the case, and no booking is offered',
  'DLG-178':
    'What is only told of a refused payment is answered with the very one, and whether it was paid since',
  'DLG-177': 'Who leaves a pause as it is hears so in one sentence, and its end is not moved',
  'DLG-176':
    'A question beside which nothing is to be changed has one answer, and no offer that was not asked for',
  'DLG-175':
    'What comes on a day of a pause or would be paid for a change is told with the amounts of the customer',
  'DLG-174':
    'Who may come along and what the smaller plan would take away is told of the plan of the customer',
  'DLG-173': 'What somebody still wants to go to is not cancelled in place of what they name',
  'DLG-172': 'The other booking beside one that was told, and the dearest one with its price, are told',
  'DLG-171': 'Whether a booking is there that somebody believed to have is told, yes or no first',
  'DLG-170': 'The coming and the last weeks are told whole, and past visits by their place or name alone',
  'DLG-169': 'Whether anything was paid before a day is told, yes or no first, with what it was',
  'DLG-168': 'How one payment was paid stands in no record, and the place that shows it is named',
  'DLG-167': 'Why something was charged is told of that charge, and what stands twice goes to a person',
  'DLG-166': 'Whether a payment or anything at all is still owed is told, yes or no first',
  'DLG-165': 'A refund meant by amount or name is told alone: the days by which it comes, or why it was made',
  'DLG-200': 'What is asked of one booking or event is told of it, by whatever it is referred to',
  'DLG-201': 'Until when a booking can be given up, and what comes back, is told of that one alone',
  'DLG-202': 'Two things asked of a booking are both answered, in one text and each once',
  'DLG-203': 'Who may come along is told for that event by age and plan, and so is what is asked on',
  'DLG-204': 'A question about the account is not taken for one about the booking spoken of',
  'DLG-205': 'The one after what is spoken of is shown, and where there is none that is said',
  'DLG-206': 'The one after a booking whose cancellation is turned down is shown, and nothing is changed',
  'DLG-207': 'A plain no in the middle of a message closes what was asked, and the rest is answered',
  'DLG-208': 'A correction is asked in place of what was misunderstood, with the question before it',
  'DLG-209': 'A correction that names a booking asks the question before of that one',
  'DLG-291': 'What is told after a hand-over goes with it, and a bare question after it asks where it stands',
  'DLG-292': 'Words that only lead to a question are not searched for',
  'DLG-293': 'Who finds a rule unfair is told how a person looks at it, and gets one the second time',
  'DLG-294': 'A subscription for somebody else is no change of the own one',
  'DLG-295': 'A visit that is wanted back is answered from the rules, and changes nothing',
  'DLG-296': 'A question about somebody who was spoken of is answered from the same article',
  'DLG-297': 'What nobody has said of an event is told so of that event, such as parking',
  'DLG-298': 'Who asks the hub to do what only they can do reads that it cannot',
  'DLG-299': 'What an answer asked to be told goes to the team, after a look at the record too',
  'DLG-320': 'What is on is looked up whatever was spoken of before and whatever single words are like',
  'DLG-321': 'What is on is answered anew for another kind, also where as little is found',
  'DLG-322': 'Something asked for by its name that is not on is said to be missing first',
  'DLG-323': 'The programme is no answer to what asks on of the article that was quoted',
  'DLG-324':
    'A change is of what was spoken of last or is named in its own clause, whatever stands beside it',
  'DLG-325': 'A yes that names the change counts after sentences that only say more, and not after a doubt',
  'DLG-326':
    'Who is blocked or paused is told so where they ask to book, and a wish to lift a block goes to the team',
  'DLG-327': 'Who misses only the code is told what to do, and who has no smartphone how they get in',
  'DLG-300': 'A few words that name nothing ask on about the article of the last answer',
  'BYO-70': 'Of records of several kinds with like names those are meant that the message says the word for',
  'DLG-301': 'A wish for a person that is denied behind itself calls nobody',
  'DLG-346': 'A month before its noun ("my July booking", "the October ones") is a month',
  'DLG-347': 'Who asks for the account of another by its address is told that they see and change their own',
  'DLG-348': 'Who calls for help in haste is heard, and who asks for a joke is not pitied',
  'DLG-350': '"No, the other one" turns to the other of two, and asks which where there are several',
  'DLG-351':
    'Whatever takes a request back is heard as a yes to "shall I take it back?", and an empty no is not',
  'DLG-352':
    'What operators decided is told once, with their reason where that is asked, and kindness meanwhile is answered as such',
  'DLG-353':
    'Few words about what is on: equals are told together, a name that is not on gets a no, and children get what is theirs',
  'DLG-354':
    'Details given after steps that only the customer may take are answered with that, and call nobody',
  'DLG-355':
    'Another record put in the place of the one that is asked about is asked about instead, and a yes is never one to the first',
  'DLG-349': 'Who regrets what they bought asks for money, and who asks when people are there calls for none',
  'BYO-72': 'A question is asked of a record of the kind that it names, whatever else has the same name',
  'BYO-73': 'A word of the language itself is no misspelt name of a record: tengo of Tango',
  'BYO-74': 'A verb is understood with the pronoun that Spanish writes at its end: muévela al jueves',
  'BYO-75': 'A day that something is moved to says when it is wanted, and names nothing that is on that day',
  'BYO-76':
    'What a change takes is corrected by the part of the day, or as the other one of what may be chosen',
  'BYO-77': 'Another day that is named at a confirmation is looked for, in Spanish too',
  'BYO-78': 'A look-up is asked again of another value that may be chosen: and at the market?',
  'BYO-79': 'What else is asked while a look-up waits for a choice is answered, and not asked back about',
  'BYO-80': 'A change that the company does not make is not taken for one that it makes',
  'BYO-81': 'An attribute of a record is told in the sentence that the entity declares for it',
  'BYO-82': 'A sentence that denies a change may name what its terms would have been',
  'BYO-83': 'Amounts and days in a list are written in the language that is spoken, as its parts are named',
  'BYO-85': 'Who writes a company is told at the end how to try it, by a line that works as it stands',
  'BYO-88':
    'A whole sentence in another language of the company is answered in it, unless the customer asked for one',
  'DLG-370':
    'That the team is to be asked is heard in many words, with what it is to be asked, and a yes takes up the offer',
  'DLG-371': 'Words that only sound as if the team were to be asked something pass nothing on to it',
  'DLG-372':
    'A request to the team is called off, asked after and added to in many words, and not by what is near to them',
  'DLG-373':
    'The team is asked the question that was meant, in the customer’s words, beside the answer to what else is asked',
  'DLG-374':
    'Whether and by when the team answers is said as it was promised, and it is told where nobody needs it',
  'DLG-375':
    'Nobody is called by words that only sound like it where an article surely answers what is asked',
  'DLG-376': 'Who curses at what does not work is told the steps that may help before a person takes over',
  'DLG-377': 'A question that nothing answers is named after what is answered, and no aside or greeting is',
  'DLG-360': 'A question what has become of an own record is asked of that record, and not of articles',
  'DLG-361': 'Why a change is asked about, what is still open, and thanks get an answer of their own',
  'DLG-380':
    'A yes in so many words stands beside a question that it does not hang on, which is answered after the change',
  'DLG-381':
    'A change that is to wait for an answer stays open, and who says that something else was asked turns nothing down',
  'DLG-382':
    'A plain order in words of every day is made to what was spoken of last, and what is asked beside it is answered',
  'DLG-383':
    'Several of a list are chosen by their number or names, whatever is told beside, also where a question is open',
  'DLG-384':
    'Nobody is asked whether to cancel what they only speak of, and who cannot come is offered what can be done',
  'DLG-400':
    'Moods, stories and greetings around what a message asks change nothing of its answer, in either language',
  'DLG-401': 'A day that a customer only asks about or tells apart by is not taken for when a change begins',
  'DLG-402':
    'Who asks whether a change is still possible reads what comes of it for what they named, and is offered it',
  'DLG-403': 'The article that a message says it is not about is neither quoted again nor leant on',
  'DLG-404': 'A request that operators have before them is not asked about a second time, over any door',
  'DLG-405': 'To leave all as it is turns down what was asked, and takes back no request of another matter',
  'DLG-406': 'What is on is listed where a sentence says what, where and when, whatever is told beside it',
  'DLG-407':
    'Who says that a matter is over, or may be closed, is heard: what a person has is called off, and nobody called',
  'DLG-408': 'Money wanted back to the cent is of no booking that cost another sum',
  'DLG-409':
    'Who was not helped is passed on in whole sentences of theirs, and who says no and asks instead is answered',
  'DLG-410':
    'A price that no article tells is said not to be told, and a condition before a question is no question of its own',
  'DLG-411':
    'A question beside an open one that only asks how long, or for yes or no, neither answers nor replaces it',
  'DLG-412': 'A day of the week that somebody asks what is on for is the one that comes, and no later one',
  'DLG-413':
    'A question that is surely for the help centre is answered by its article, whatever record its words are like',
  'DLG-414': 'Such a question is no reply to what the hub has asked back, and no detail for the team',
  'DLG-415':
    'Who says what they did asks nothing of that record, and who asks for a total makes no small talk',
  'DLG-416': 'Who says that the steps of an answer were taken was not helped by them, and gets the team next',
  'DLG-417': 'What would come of a change to each of several records is told to the point, and not twice',
  'DLG-418':
    'Who needs a person and asks what one article surely answers reads that first, save where somebody may be hurt',
  'DLG-419': 'All of something else, such as all one’s data, names none of the customer’s records',
  'DLG-420':
    'No part of a message is handed over because nothing answers it, where another part has been answered',
  'DLG-421': 'What the team is asked to change and the hub changes itself is opened as that change',
  'DLG-422': 'How the record that is spoken of stands is told, also while a change of it waits for a yes',
  'DLG-423': 'What was shown of the programme and the customer has booked is theirs in what they say next',
  'DLG-424': 'A yes that names what was offered is one, whatever is told or asked beside it',
  'DLG-425': 'A visitor who asks whether a change is possible is told how it is, and not to sign in',
  'DLG-426': 'What is asked beside a no that takes back a wish is answered, unless it only asks back',
  'DLG-427': 'Who tells that they cancelled is offered no cancellation, whatever has happened to them',
  'DLG-428': 'Something cheaper is the cheapest of somebody’s records only where one of them is meant',
  'DLG-429': 'An order that only points cancels what the last sentence before it names, also in an aside',
  'DLG-430': 'Of several records the one that is named is cancelled alone where the others are to stay',
  'DLG-431': 'A sentence that only begins like a yes or a no is no answer where nothing was asked',
  'DLG-432': 'A question about the account is looked up in it, whatever article was quoted before',
  'DLG-433': 'A yes to what was offered is taken up, also beside an escalation',
  'DLG-434': 'What was quoted a moment ago is not quoted again beside what is new',
  'DLG-435': 'Who insists on what no article says is passed on, and not told the same again',
  'DLG-438': 'A change that is only denied is not offered, also in the Portuguese that many regions speak',
  'DLG-439': 'What answers two questions of one message is said once',
  'DLG-437':
    'Where no sentence surely says the one thing that is asked, that is said, and the team can be asked',
  'DLG-436': 'A step that points at the one before it is told with all of them',
  'DLG-440':
    'An order that names nothing means the subscription where that was spoken of last, and no booking',
  'DLG-441': 'The change that was turned down last is taken up again by an order that names nothing',
  'DLG-443':
    'How early to arrive is told of the booking that is named or pointed at, also in the shorthand of chats',
  'DLG-444': 'Asked on what the visits went, the record lists those that are counted',
  'DLG-445': 'Whether the visit of a booking is there again is told from what has become of the booking',
  'DLG-446':
    'A refund that is owed is asked about once, and opened by whatever words order it after it was offered',
  'DLG-447': 'What is to be explained while a person has the matter is answered, and added to no request',
  'DLG-448':
    'A question about a right that an article answers is passed on to nobody, nor what was only asked',
  'DLG-449': 'A change that is only supposed to be needed is begun by nobody',
  'DLG-450': 'How plans are changed is told from the article where it is only thought of for later',
  'DLG-451': 'How somebody is added to what is booked is told from the article, whatever booking is named',
  'DLG-452': 'A yes that is denied in the same breath is none: "yes please do not", "sim, não cancela"',
  'DLG-460': 'A yes with a kind word or a question beside it is acted on at once',
  'DLG-461': 'A yes that is repeated after being asked again is taken, unless something contradicts it',
  'DLG-462': 'A no in a sentence among others is heard, and the question beside it is answered',
  'DLG-463': 'A no to what was offered closes the offer, and the question beside it is answered',
  'DLG-464': 'Who does not know yet has turned nothing down',
  'DLG-465': 'Who needs a moment reads what is to be decided, and how to answer',
  'DLG-466': 'An accepted offer to ask the team is carried out beside another question',
  'DLG-467': 'Danger is heard where it is told, and not in ages, manners or what happened to nobody',
  'DLG-468': 'A misheard danger is taken back with an apology and noted for the team',
  'DLG-469': 'Who only asks how something is requested or where to complain is passed on to nobody',
  'DLG-470': 'A person who was not asked for is called off, and the question beside it is answered',
  'DLG-480': 'Each question of one sentence is answered, in whatever order of words it is put',
  'DLG-481':
    'The part of a message that has no sure answer is named in one sentence, and a yes passes on exactly that',
  'DLG-482':
    'A number that is asked for and stands in no article is not answered with what else its article tells',
  'DLG-483':
    'What is only supposed to go wrong has not happened: it is answered, and nobody is called for it',
  'DLG-484': 'What is asked on a condition is looked up with it, and not by its last words alone',
  'DLG-485': 'No change is offered to who supposes something else than it',
  'DLG-486':
    'What is meant instead is the question, alone: what was turned away is neither asked nor quoted again',
  'DLG-442': 'An order that names nothing ends the booking that was spoken of, also where it tells why',
  'DLG-362': 'Where a customer has no record of a kind, no words of theirs are taken for the name of one',
  'DLG-390':
    'In a conversation the article that it is about is quoted, and none that only shares a word with a message',
  'DLG-391':
    'Where a message hardly asks what articles answer, none is quoted: it is greeted, or asked back about once',
  'DLG-392':
    'Who asks which cities there are is told that, whatever places and days stand beside the question',
  'DLG-393': 'No answer begins with a conclusion whose reason the article gives in the paragraph before it',
  'DLG-394':
    'What is asked back about are readings with a real chance: one is named alone, and none is only filled in',
  'DLG-310': 'After a change it is told what comes back and when, and what else is asked of its record',
  'DLG-311': 'The same change of another record is called made already where it is, and is no guess',
  'BYO-71': 'A change that is wanted for another record too is told what else it needs as before',
  'DLG-210': 'Two questions about the account in one message are both answered, in shorthand too',
  'DLG-197': 'A question that only sounds like one of law or of the record is answered from its article',
  'DLG-500': 'The plural asks for all that is ahead, and the singular for the next of it',
  'DLG-501': 'Whether somebody went is answered yes, no or still to come, with the date',
  'DLG-502': 'Of what was cancelled the day is told, and that neither who did it nor why is on record',
  'DLG-503': 'The plan that a message names is what it asks of, whatever was spoken of before',
  'DLG-504': 'Why a visit is charged beside the fee is said, and duplicates are spoken of only to who does',
  'DLG-505': 'Who wants money back for what is still ahead hears what giving it up would bring',
  'DLG-506': 'When the card is charged is answered with the day and the amount of the next charge',
  'DLG-507': 'What a larger plan would give and cost now is reckoned from what is used already',
  'DLG-508': 'A month and a day that a message names apart are one date',
  'DLG-509':
    'Whether a dispute is the reason for a block is answered by what is usual and what is not on record',
  'DLG-510': 'Whether a pass for a guest was used is on no record, and that is said',
  'DLG-511':
    'Who has no plan has no visits left, and what was cancelled before its day is still spoken of as ahead',
  'DLG-512': 'What only sounds like a question about who went or who cancelled is answered as before',
  'DLG-513':
    'What went wrong is looked into where its money is wanted back: nothing else is offered to be given up',
  'DLG-520':
    '"Never mind" takes back what waits only where that was spoken of last, and what is asked besides is answered',
  'DLG-521': 'Who needs no person any more is also given what they ask for beside it',
  'DLG-522': 'As many of the latest are listed as a customer asks for',
  'DLG-523': 'A plain yes to what can be put back is taken with a question of its own beside it',
  'DLG-524':
    'Of a length of time that waits for a yes the longest is told, and the end that is ordered last counts',
  'DLG-525': 'What is set against another plan in a question is told with the price of that',
  'DLG-526': 'What something cost is told where that is asked, and not when it was where that is known',
  'DLG-527': 'Whether the booking that is named takes a visit is answered with yes or no',
  'DLG-528': 'What was called no answer is not said again: that there is no more, and how to ask the team',
  'DLG-529': 'What is on at a venue is listed by its name, and taken for none of the bookings there',
  'DLG-530': 'The next weekend is the one ahead where it is said on a Monday or a Tuesday',
  'DLG-531': 'Where one complains about a rule is told with the steps for complaints',
  'DLG-532': 'Numbered questions in one sentence are answered each',
  'DLG-533': 'Which of two plans somebody has is answered with theirs, and not with both prices',
  'DLG-534': 'Who has no plan is told what the one they name costs, and not that they have it',
  'DLG-540': 'What is named is meant whatever number its day has, and a day told before it chooses nothing',
  'DLG-541': 'One of several stays chosen where a question stands beside the choice',
  'DLG-542': 'A record is known by who it is for: the concert for children is the one for families',
  'DLG-560': 'What a reader of one question leaves of a message is read by itself and answered too',
  'DLG-561': 'A second question beside a change that waits for a yes is answered too',
  'DLG-562': 'Numbered questions of a long message are each answered, though only the last has a mark',
  'DLG-563': 'A question that only presses for an answer is part of the one before it',
  'DLG-564':
    'What cancelling would give back is told of the booking that is spoken of, or of all where all are meant',
  'DLG-565': 'Who does not remember what they have booked is told it, without a denial',
  'DLG-640':
    'Who looks for something in a city, at a time and for a price goes on looking there until another is named',
  'DLG-641':
    'Where nothing on the programme is all that was asked for, what comes nearest says in what it is not',
  'DLG-642': 'A plan is no name on the programme, and what is on around a day is on beside it too',
  'DLG-643': 'Other dates are asked of the record that is named or picked, in however whole a question',
  'DLG-644': 'What is asked of one’s own, or of those who run a place, is asked of the one that is spoken of',
  'DLG-645': 'Who asks what something is reads its own text',
  'DLG-646': 'When something is and when to be there are told once',
  'DLG-647':
    'Which of what was shown is as somebody wishes is told of those whose text says it, and the others are named',
  'DLG-648': 'A month that has begun is this one, and none a year from now',
  'DLG-649': 'A no with another time asks the question before for that time, unless a confirmation is open',
  'DLG-650': 'Where only triage hears a question for the programme, the whole message decides',
  'DLG-566': 'A blocked customer reads beside their visits that they cannot book',
  'DLG-570': 'A question that asks the same of several things is answered for each',
  'DLG-600': 'A clear yes is taken where it asks beside it when the money comes, and that is answered',
  'DLG-601':
    'What a yes hangs on, or a wish about the money, is answered from the change that waits, which goes on waiting',
  'DLG-602':
    'A yes by name in the last sentence stands after a question that is about something else or set aside',
  'DLG-603':
    'A no in haste before a yes by name is neither: what is true of the wish is said, and it is asked again',
  'DLG-604':
    'A no with what somebody thinks of it is one no: nothing is said twice, and nobody is called for',
  'DLG-605': 'Who says that the team need not bother with it has called it off',
  'DLG-606': 'Who wants to cancel what they do not have reads that first, and then what there is',
  'DLG-607': 'An order whose reason is that somebody cannot come keeps nothing as it is',
  'DLG-608':
    'An order for another day after how a pause is ended reads that it ends at once, and is offered that',
  'DLG-609':
    'What is passed on in words that only point at it, or complain, stands there by the question before it',
  'DLG-610':
    'What is asked beside what waits is answered for what it asks: a list of bookings, a discount, no refund',
  'DLG-569': 'A visitor is told how a change goes that they ask about, and signs in for one that they order',
  'DLG-568': 'Several questions that the conversation answers are said by it, and a change goes on waiting',
  'DLG-567': 'A single line more of a list is shown, and not only said to be there',
  'DLG-620':
    'No question of a message is lost because only the last has a mark, or because something is called out before it',
  'DLG-621': 'A question takes along who was spoken of before it in the message',
  'DLG-622': 'A part that says what is to be told is answered like the question it asks',
  'DLG-623':
    'An answer with something new before what was said says the new, and a short question that stays unanswered is named',
  'DLG-625':
    'Who can do nothing with their account is told what the record shows, and not a rule for everybody',
  'DLG-626': 'Who doubts how many visits are used reads which bookings used them',
  'DLG-627': 'Who asks who paused their plan reads what is on record, and is offered nothing',
  'DLG-628': 'Who asks how a past booking is recorded is told of that one',
  'DLG-543': 'A yes that a later sentence of the same message takes back is none, whatever is asked between',
  'DLG-544':
    'What is asked before a yes about the money of the open change is answered by that, and it stays open',
  'DLG-545':
    'A question that a decision is made to hang on is answered first, and the open change stays open',
  'DLG-546': 'A clear yes counts beside a question of when money comes and words that tell how it was paid',
  'DLG-547': 'Who leaves what was asked and asks another thing in the same message has that answered',
  'DLG-548': 'A change that is ordered now is made now, whatever day stands in the reason for it',
  'DLG-549': 'A request to people is taken back in plain words, and what is asked beside it is answered',
  'DLG-550': 'Who says goodbye while people have a request hears a goodbye, and not once more how it stands',
  'DLG-195': 'Whether somebody may come along on a day that is named is said by the plan of who asks',
  'DLG-196': 'Sad news is heard of people, and not of a phone or a battery that died',
  'DLG-161': 'What waits for the team since another conversation is taken back from any one of its customer',
  'DLG-160':
    'What is booked on days that are named is listed, and the dearest one is found, in either language',
  'DLG-159': 'One of several is picked by the word for its kind in the language of the customer',
  'DLG-158':
    'Of what is named on the programme its places, price, place, end and matter are told, however asked',
  'DLG-157': 'What is to be done about what went wrong is asked with it, and is no question of its own',
  'DLG-156': 'The first one is that of a list anybody may choose from, where such a list was shown last',
  'DLG-155': 'Who asks how to get or erase their own data is told, and a person is called for who wishes it',
  'DLG-154': 'A yes to what only the customer can do is told so, and not that nothing waits for an answer',
  'DLG-153': 'A place that a message denies beside another one is not looked for',
  'DLG-151':
    'That something was asked turns nothing down, and a change that is named beside a wish is asked about',
  'DLG-152': 'The number of an entry in a list that was asked about picks it, in whatever short form',
  'DLG-148':
    'A change that few words ask about is explained, and offered only where no other question is open',
  'DLG-147': 'What only Premium opens, and what is for children, is all that is shown where it is asked for',
  'DLG-180':
    'Who turns a booking down for the one after or before it is asked about that one, and no yes takes the refused one',
  'DLG-181':
    'Who says that the subscription is meant, or wants that cancelled which was just explained of it, is asked about it',
  'DLG-182':
    'What waits with the team is taken back in everyday words, never called unchanged meanwhile, and told to be off when asked',
  'DLG-183':
    'Asked for something cheaper, what costs less than what was shown is listed, or that nothing does',
  'DLG-184':
    'A plain yes beside a question that was told already is taken, and one that may hang on it is not',
  'DLG-185': 'Who says that what was listed is not theirs, or where they live, is shown what is on there',
  'DLG-186':
    'A complaint that is passed on has its number told, and when and where it was asked where it does not say',
  'DLG-187': 'A farewell is answered as one, also beside thanks',
  'DLG-198': 'Who says that an article’s wish to be told is being done is passed on, not asked again',
  'DLG-255': 'Another number in front of a reason corrects the change that is asked about',
  'DLG-256': 'A change that few words plainly want is asked about, and not what is meant',
  'DLG-257': 'A yes by its name after another request is taken, and the request comes next',
  'DLG-258': 'Places in a list that was shown mean what was listed, each of them, and never the plan',
  'DLG-259': 'What was left behind at a place is no question about a booking or visits',
  'DLG-270': 'What is asked narrowly of the own plan is told in a sentence, by yes or no where that is asked',
  'DLG-271':
    'Of a booking it is told when it was made, and that there is none on the day that is asked about',
  'DLG-272': 'Who wants the larger plan is told what it costs, or that they have it',
  'DLG-273':
    'What was lost at a place is answered by its article, whoever lost it and whatever they have booked',
  'DLG-274': 'Who was turned away without a booking on record is asked for details, which reach the team',
  'DLG-275': 'Thanks that take note of a question are no plain yes to it',
  'DLG-277': 'Who asks when people can be reached is told their hours, and nobody is called',
  'DLG-276': 'What would make up for it is added to the complaint',
  'DLG-267': 'What a pause or the end of a plan does is answered by yes or no, and no change is asked for',
  'DLG-268': 'Of a pause that runs it is told what cannot be done meanwhile, and when it ends',
  'DLG-269': 'Another change is wondered about while one waits, and terms answer what is asked of it',
  'DLG-263': 'What is on is told where the customer has nothing there, asks what else there is, or says so',
  'DLG-264': 'What is on is looked up for the day of what is spoken of, without what the customer has',
  'DLG-265': 'Of one event it is told whether it is on another day, and for which ages',
  'DLG-266': 'A place with a name of another language does not change that of the conversation',
  'DLG-262': 'Who needs no person any more has that noted, whatever is said beside it',
  'DLG-261': 'A no behind a sound of thought and a call to wait is a no',
  'DLG-260': 'What is told after a hand-over, or because an article asked for it, reaches the team',
  'DLG-230': 'What visits were used on is listed whole, with what was missed, and comes to what is counted',
  'DLG-231': 'Who means the monthly fee is told of that fee, and not of what was tried for a visit',
  'DLG-232': 'Who had cancelled hears the day of the charge and the day of the end, and orders nothing by it',
  'DLG-234': 'A long polite message is answered like the bare questions in it, whatever is told around them',
  'DLG-236': 'Two questions to the help centre are both answered, and what no article answers is said so',
  'DLG-237': 'No head of a list is left behind whose items were told with an earlier answer',
  'DLG-239': 'A step that the customer has taken already is no advice, and the others are counted anew',
  'DLG-240': 'Who has no smartphone is told what to show at the door instead',
  'DLG-241':
    'Who asks for a way out in time, a contract or an entry for a child is told by the article of it',
  'DLG-238': 'A visitor who says nothing of their own is not told to sign in for a part of a message',
  'DLG-235': 'Of a long message what is ordered or went wrong is never left out for the questions in it',
  'DLG-233': 'What an amount in a list of payments was for is told where it is only pointed at',
  'DLG-188': 'How far something is, is asked of where it takes place',
  'DLG-146': 'A question that the terms of a change answer is no request of its own behind that change',
  'DLG-145': 'Who leaves it at that with thanks is not greeted anew',
  'DLG-131': 'A name of several words takes the place of the one in the question before it, whole',
  'DLG-130': 'A word of courtesy is no name of a booking',
  'DLG-29': 'Kind words to the hub itself are answered in kind, and trouble nobody',

  // A company of one's own
  'BYO-01':
    'A company in YAML alone is written by one command, passes the check and answers at once in each of its languages',
  'BYO-02':
    'Its changes pass the same gate: exact terms, a yes, an operator where its policy says so, one effect, its own words',
  'BYO-03':
    'Its files cannot reach beyond the customer who asks: a call that names no customer is refused when they are read',
  'BYO-04':
    'Its language layer is fitted by itself where there is none or its files have changed, and says so',
  'BYO-05': 'What the hub understands of a company is shown by one command',
  'BYO-06': 'What the hub holds of its customers is exported and erased',
  'BYO-07':
    'A shop in YAML alone answers and acts over its own HTTP system, in three languages, with one call under one key for each change',
  'BYO-08':
    'Where an answer of that system is lost, nothing is claimed and nothing is done twice: what became of the call is looked up',
  'BYO-09':
    'While that system does not answer the hub says so, claims and changes nothing, and goes on when it does',
  'BYO-10': 'The shapes of a company’s files are published as JSON Schemas, which are those that are checked',
  'BYO-11':
    'Without a model, what the words say of a tool’s inputs is read, what they leave open is asked for, and a reply goes on from there',
  'BYO-12':
    'Tools are drafted from an OpenAPI document, its sign-in too: the customer from the session, changes gated, the undecided laid aside',
  'BYO-13':
    'Tools of an MCP server are called through the gate, once, though it dies; one that has changed since it was agreed to is not',
  'BYO-14':
    'A change carries lists of items and of people, a payment method and statements of one transaction that run only where they apply',
  'BYO-15':
    'A company is moved as one archive; one that leads out of its folder or brings programs is not unpacked',
  'BYO-16':
    'A running server takes a changed company without losing a conversation, and goes on where the new one is broken',
  'BYO-17':
    'While the company’s system fails or answers with something else than it says, nothing is claimed or changed',
  'BYO-19':
    'A change to which another system answers an error may have been made: it is looked up, and refused only where it was not',
  'BYO-20':
    'A company’s conversations are held over systems that stand in for its own, each with fresh data, and their tables are looked at',
  'BYO-21':
    'The shop exchanges several items of an order in one call, the difference on a card or gift card with its balance, in three languages',
  'BYO-22':
    'What tools, entities, scripts and packs of a company name that there is not is found by check, with file, line and remedy',
  'BYO-23':
    'Of hundreds of tools a model is shown those that can matter; a turn and a start cost hardly more than with a dozen',
  'BYO-24':
    'A record that a call names is the customer’s own by its type alone; check names by line what nobody knows the owner of',
  'BYO-27': 'A skill is given the record of the customer’s own that their words name, by title or id',
  'BYO-28':
    'The reply to the question of a skill, and the word that its advice did not help, come back to that skill',
  'BYO-29': 'A wish to act that names a record of the customer’s own goes before an article about such acts',
  'BYO-30':
    'What an author gets wrong in a file of a company in YAML is named once by check, with file, line and remedy, whatever the file',
  'BYO-31':
    'The pages of a site that was saved with its sitemap become articles, and those that are one in several languages belong together',
  'BYO-32':
    'Agents and tools that a company switches off are led to, listed and promised nowhere; one without accounts and changes answers all the same',
  'BYO-33':
    'Who a customer is may be read from the claims of the verified token alone, with language and attributes, and nothing looked up',
  'BYO-34': 'A query takes about as long among very many articles as among a thousand',
  'BYO-35':
    'In the shop an operator agrees to what is dear, other agents ask and act over A2A, and tickets in Spanish are sorted by its own types',
  'BYO-36':
    'The shop’s own pack looks into what arrived damaged: it asks which, has a person judge what was dear, goes on, and offers the gated change',
  'BYO-37':
    'The README’s chapter on a company of one’s own holds literally: its conversation, then twelve articles and a skill, checked and shown',
  'BYO-38': 'The shop’s conversations pass as often as its baseline says',
  'BYO-39':
    'Articles that are added, changed or gone in a company’s files are so from the next start on; what operators published stays',
  'BYO-40':
    'A company that speaks Spanish alone understands few words, what it is asked of itself, a no, a withdrawal and a place in a list',
  'BYO-41':
    'The record that is named best, or told of by its status, is meant, also where the rules say no; never one that shares a word',
  'BYO-42':
    'A company’s own PostgreSQL or SQLite database is read and changed as it is: after a yes, in one transaction, once for a key',
  'BYO-43':
    'A change may be a function of the company’s own program; it gets what was agreed to and a key, and what it throws is no answer',
  'BYO-44':
    'A new company is asked where its customers are and what its tools are made of, and is without a fault whatever the answer',
  'BYO-45':
    'Rows of a seed may stand in any order; one that refers to a row that there is not is named by check, with its table',
  'BYO-46':
    'A company’s database that is in use, or a function of its own that does not end, is waited for while others are answered, and not for ever',
  'BYO-47': 'Who is not signed in and asks about their own records is asked to sign in',
  'BYO-48': 'Tables of customers that a company neither exports nor erases are named by check',
  'BYO-49':
    'Published calls of a domain are replayed through the gate, each task on fresh data, and what or which table comes otherwise is named by line',
  'BYO-50': 'Two requests of one message are told apart in Spanish as in the other languages',
  'BYO-52':
    'A company without a catalogue is followed in a conversation: names, pronouns and what is asked of them',
  'BYO-53':
    'What would come of a change is told of each that is listed for it, also where a company explains nothing',
  'BYO-54':
    'The rules say why the only record cannot be changed, and a refused value may be replaced by another',
  'BYO-55':
    'A look-up that is open to anybody answers visitors, and an untaught language is not taken for small talk',
  'BYO-56':
    'A replay or evaluation changes copies of a company’s SQLite files, one for each task, never the files themselves',
  'BYO-57':
    'A run that would change a real system is refused before anything is asked, unless it is asked for; check warns of it',
  'BYO-58':
    'A record that a change takes beside its own is asked for by its list and may be corrected at the confirmation',
  'BYO-59':
    'Things of a list are told one by one or several at once, each whole, until the customer says that this is all',
  'BYO-60':
    'An id or a name of one kind of record is never taken for that of another that the same change takes',
  'BYO-61':
    'What is the same for everybody is told as such, and answers no question about the customer’s own',
  'BYO-62': 'What is the same for everybody is told to visitors in the chat, by its list, by name and by id',
  'BYO-63': 'A correction that names another choice or record is asked about anew, and is no plain no',
  'BYO-64': 'An order that puts a record into a choice of one change alone is heard as that change',
  'BYO-65': 'What a thing is that has a name is told by its article or its record, and never by who answers',
  'BYO-66': 'Who asks why their account is blocked is told that it is, where it is and no article says more',
  'BYO-67': 'Thanks or a few words that name nothing after an answer are no question about its record',
  'BYO-68':
    'Every key of a company’s files is told of in the published schemas, so that editors say what it is for',
  'BYO-100':
    'A data directory is one company’s: another is told whose it is and where to keep its own, and no command of the README mixes two',
  'BYO-101':
    'A company that declares nothing of it takes up the language and the way of contact that a customer asks for, amid a question too',
  'BYO-102':
    'A company of another trade over a SQLite file that it had before has nothing for check to find, and converses',
  'BYO-103':
    'The day that something is moved to is no day of a record, and a no that orders another change is heard as that',
  'BYO-104':
    'What is asked of a name is asked of the record that is called so, before one whose title has the name in it',
  'BYO-105':
    'A new company’s few sentences make no list and no greeting of what it does not know, nor the open question of another',
  'BYO-106':
    'Who asks how something is done that nothing tells of hears what can be done here, and a person has it',
  'BYO-107':
    'A question with a word such as surgery is answered without a word of sympathy, which is for who tells of it',
  'BYO-108': 'A skill looks at the customer’s own rows of a SQLite file of the company, and at nobody else’s',
  'BYO-109': 'A program that can ask its user asks in the language of the question, the box to tick too',
  'BYO-110': 'A new company over a database of its own calls it `database` in its files, and a service `api`',
  'BYO-111':
    'Check holds each statement of a company and its skills against the SQLite file that it asks, and writes nothing there',
  'BYO-112':
    'What does not open, start or work in a company that knows nothing of it is neither danger nor small talk; who is hurt by it is in danger',
  'BYO-113':
    'A new skill is found from the start in each language of the company, by its id and by the records that it looks at',
  'BYO-120':
    'Another day in place of the one that is to be confirmed is asked about anew, of the same record and with all else as it was',
  'BYO-121':
    'A question that says nothing of what is open, was listed or waits for the team is answered from the article that answers it',
  'BYO-122':
    'A choice is read in the singular and the plural of its words, and with numbers in words or figures',
  'BYO-123':
    'An amount that a customer writes is read in the smallest unit of the company’s currency, which not every one divides by a hundred',
  'BYO-124':
    'A list that is asked about beside another answer keeps its question, and what rules ask cites no article',
  'BYO-125':
    'What an article answers is answered from it, and not met with a question for what a look-up needs that is only guessed at',
  'BYO-126': 'A no that says what is wanted in its place in one breath is heard as both, in each language',
  'BYO-127':
    'Customers and their records are what the ports promise, of a company in TypeScript and in YAML over a database or a service',
  'BYO-115':
    'A skill is given, and held to the customer’s own, the record of every kind, whether its ids have a form or not',
  'BYO-116':
    'A skill guides through several questions: few words that are its own reach it, and who says that it works now is done',
  'BYO-90':
    'A new skill of a company starts from its languages and records, has nothing for check to find, and answers at once',
  'BYO-91':
    'A day of the calendar in records is said as a day, without a time, the same in every zone; now and today are known there',
  'BYO-92':
    'A dry run prints what would be asked in each language, agreed to and performed, or which rule refuses it, and stores nothing',
  'BYO-93':
    'check warns of patterns that end inside a word and of look-ups that have no sentence to answer with',
  'BYO-94':
    'No surface of a company says a word of another: chat, desk, cards, MCP, documents, pages, logs, exports',
  'BYO-51':
    'Whatever breaks in a company’s system amid a change, it is made once; question and sign-in stay, operators see a code',
  'DLG-660':
    'Whether something may be done with a booking is answered from the articles, and never by how a booking stands',
  'DLG-661':
    'Who wants back what was done last hears whether it can be put back and how; nothing is cancelled by the wish to undo',
  'DLG-662': 'Everything is to be cancelled: the plan where the plan was spoken of, and else the bookings',
  'DLG-663':
    'A request that waits for the team is taken back also where the reason stands before the words for it',
  'DLG-664':
    'A threat of law is for people whatever else the message asks for, and a question about the law is a question',
  'DLG-670':
    'A message of nothing but several questions, each of which stands by itself, is answered as if each had been asked alone',
  'DLG-672':
    'Who asks the same again is told once more what answers it; who still asks is passed on to the team',
  'DLG-673': 'Who needed no person is told what they only wanted to know',
  'BYO-18':
    'A company’s colour and logo stand in its file and reach its pages; a logo that is not there is a fault',
} as const;
