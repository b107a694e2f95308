import { ATTACK_REQUIREMENTS } from './requirements-attacks.js';
import { MODEL_REQUIREMENTS } from './requirements-models.js';
import { PROGRAM_REQUIREMENTS } from './requirements-programs.js';
import { SERVER_REQUIREMENTS } from './requirements-server.js';
import { SKILL_DESIGN_REQUIREMENTS } from './requirements-skill-designs.js';

/**
 * What the hub must do, one clause an id. A test cites the ids it proves in its title, `[CONF-03]`; the check in
 * coverage.test.ts fails where an id is unknown or where nothing cites it. Ids are never given a second meaning.
 */
export const REQUIREMENTS = {
  // The graph
  'GRAPH-01':
    'A supervisor leads triage, knowledge, account and action, each a ReAct subgraph with its own tools',
  'GRAPH-02': 'Triage comes first on every turn; intake, review and escalation stand around the supervisor',
  'GRAPH-03': 'The state carries messages, next, ticket_id and user_email, typed throughout',
  'GRAPH-04': 'MemorySaver is the default for chat',
  'GRAPH-05': 'HUB_CHECKPOINTER=sqlite behaves the same as memory, and both pass the conformance suite',
  'GRAPH-06': 'A hop limit ends a turn that goes round in circles, with an escalation',
  'GRAPH-07': 'A reply is never empty',
  'GRAPH-08': 'A reply never speaks of handing over or transferring between agents',
  'GRAPH-09': 'A compound request is answered in all its parts',
  'GRAPH-10': 'A short reply goes back to the agent that asked',
  'GRAPH-11': 'Every routing decision is logged with the id of its rule or the reason of the model',
  'GRAPH-12': 'A second message of a thread waits until the first is answered',
  'GRAPH-13':
    'Review lets only retrieved sources and successful actions into an answer; one revision, then the answer of its rules, then escalation',
  'GRAPH-14': 'The answer of a single agent reaches the customer word for word',

  // Tools
  'TOOL-01': 'Twelve tools exist under their names, each typed with zod in and out',
  'TOOL-02': 'Identity comes from the verified session; no input of any tool names a customer',
  'TOOL-03': 'Tools check ownership themselves: what belongs to somebody else is not found',
  'TOOL-04': 'An anonymous session is refused account matters and invited to sign in',
  'TOOL-05': 'Tool errors are an envelope with a code, and say what to do instead',
  'TOOL-06': 'A model that obeys an attacker still cannot cross customers',
  'TOOL-07': 'Which agent may call which tool is one roster',

  // Business rules
  'RULE-01': "Only an upcoming reservation of one's own can be cancelled",
  'RULE-02': 'Cancelled at least 24 hours before the start: refunded in full',
  'RULE-03': 'Cancelled later than that: an operator approves first',
  'RULE-04': 'Never twice, and never for an attended experience',
  'RULE-05': 'A refund above the configured amount needs approval',
  'RULE-06': 'Pausing, resuming and cancelling a subscription follow its status; consequences are told first',
  'RULE-07': 'Blocked users can ask but not act',
  'RULE-08': 'Windows and amounts come from one data file; a wrong value stops with one clear line',

  // Confirmation and approval
  'CONF-01': "An irreversible call waits for the customer's yes",
  'CONF-02': 'A yes releases exactly the call that was asked about: tool and arguments hash',
  'CONF-03': 'A yes releases it exactly once',
  'CONF-04': 'A question expires, and then nothing happens',
  'CONF-05': 'A stale, repeated or foreign answer is refused',
  'CONF-06': 'Something else typed while a question is open is answered, and the question stays open',
  'CONF-07': 'Two pending questions do not mix',
  'CONF-08': 'A no changes nothing',
  'CONF-09': 'An operator approves or rejects where policy says so, and the customer is told',
  'CONF-10': 'With SQLite a question survives kill -9 and a restart, also inside a subgraph',
  'CONF-11': 'After a crash no side effect runs twice: idempotency key, one transaction, audit row',
  'CONF-12': 'Conditions that changed after the question was put are not agreed to: nothing is done',
  'CONF-13': 'What was done for the customer is told, whatever fails in the turn after it',

  // Data and memory
  'DATA-01':
    'cultpass.db has users, subscriptions, experiences, reservations, payments and the refund ledger',
  'DATA-02':
    'udahub.db has accounts, users, tickets, metadata, messages, knowledge, resolutions and preferences',
  'DATA-03': 'Pauses, escalations and audit rows are stored',
  'DATA-04': 'Databases are migrated on first use, with WAL and foreign keys',
  'DATA-05':
    'At least 30 knowledge articles cover every issue type, each in English and Brazilian Portuguese',
  'DATA-06': 'At least 25 users in every state, 40 experiences, 100 reservations past and future',
  'DATA-07': 'Seed dates are relative to now, so the demo never expires',
  'DATA-08': 'Two data directories never see each other',
  'DATA-09': 'Refunds are unique by reservation and by idempotency key',
  'DATA-10': 'Several processes may start on one data directory at once',
  'MEM-01': 'A thread remembers its conversation',
  'MEM-02': 'Messages, metadata and resolutions of a ticket are stored',
  'MEM-03': 'A returning customer is recognised: language, contact method, what was solved before',
  'MEM-04': 'A stated preference is stored, one value a key',

  // Knowledge
  'KB-01': 'Articles are searched in a real Chroma through the vector store of @langchain/community',
  'KB-02': 'The server is shared between processes and stopped when the last one leaves',
  'KB-03': 'A server that died is started again',
  'KB-04': 'CHROMA_URL uses a server somebody else runs',
  'KB-05': 'Dense and keyword results are fused by rank',
  'KB-06': 'Without a key embeddings are local, need no download, and live in Chroma all the same',
  'KB-07': 'Indexing again embeds only what changed, and is safe to repeat',
  'KB-08': 'The articles an answer comes from are shown to the customer',
  'KB-09': 'Confidence is calibrated; the raw formula is reported beside it',
  'KB-10': 'Below the threshold the hub says so and escalates instead of inventing',
  'KB-11': 'Chroma gone in the middle of a session: keyword search goes on, and the log says why',
  'KB-12': 'kb index, search, show, list and calibrate do what the contract says',
  'KB-13':
    'Indexing waits for each batch of vectors by itself, shows a terminal how far it is, and goes on where it was ended',

  // Triage, escalation, language
  'TRI-01': 'One structured call gives issue type, priority, sentiment, requires_human and summary',
  'TRI-02': 'A frustrated customer is acknowledged first',
  'TRI-03': 'Frustrated and high or urgent: escalated',
  'TRI-04': 'Triage that says a person is needed: escalated',
  'TRI-05': 'Low confidence that no tool answered: escalated',
  'TRI-06': 'A customer who asks for a person gets one',
  'TRI-07': 'Legal, compliance and discrimination concerns: escalated',
  'TRI-08': 'The hop limit or an unrecoverable fault: escalated',
  'TRI-09': 'The customer is told; the operator gets summary, findings, attempts and choices',
  'LANG-01': 'English and Brazilian Portuguese are detected per message and answered in kind',
  'LANG-02': 'A stored preference wins over what is detected',
  'LANG-03': 'Another language is answered in English, and that is noted',

  // Offline mode
  'OFF-01': 'Without key and network the whole hub works, and every answer says which mode wrote it',
  'OFF-02': 'The same input gives the same answer twice',
  'OFF-03':
    'The intent classifier is trained on 2,000 utterances in both languages and tested on a held-back part',
  'OFF-04': 'A reservation is found by id, title, date or day, and as "the last one"',
  'OFF-05': 'Yes, no and which are understood in both languages',
  'OFF-06': 'What is missing is asked for, and the answer is used',
  'OFF-07': 'What is not understood is asked back or escalated, not guessed',

  // Commands
  'CHAT-01': 'Piped input: one answer a line, then the end; blank lines are skipped',
  'CHAT-02': '--json prints one object a message with exactly the keys of the contract',
  'CHAT-03': '--as signs in; an unknown address ends with code 2',
  'CHAT-04': '--thread continues a conversation where the checkpointer keeps it',
  'CHAT-05': '/approve and /reject decide what waits for an operator',
  'CHAT-06': 'On a terminal: prompt, agents, streamed answer, sources, questions',
  'CHAT-07': 'First use prepares the data, says so on stderr, and keeps stdout for answers',
  'BATCH-01': 'JSONL, CSV and standard input become one row a ticket, in input order, with the same id',
  'BATCH-02': 'A broken line becomes an error row with line and reason; the rest goes on; exit code 1',
  'BATCH-03':
    'Interrupted and resumed, the result is the same as uninterrupted: no ticket twice, none missing',
  'BATCH-04': 'Tickets run concurrently, with back-off on 429 and 5xx',
  'BATCH-05': 'Online a ticket costs one model call',
  'BATCH-06': '--labels prints accuracy, precision, recall and a confusion matrix',
  'BATCH-07': 'The summary counts types, priorities, routes, escalations, tokens, cost and tickets a second',
  'BATCH-08':
    'Without a model a batch uses every core: the bytes are those of one process, also where a process dies on the way',
  'DESK-01': 'queue, show and approvals read durable state of another process',
  'DESK-02': "approve and reject carry an action out once, or refuse it, with the operator's name",
  'STUDIO-01': 'npm run studio starts offline and says where to open it',
  'STUDIO-02': 'The graph is drawn with its subgraphs, and its schemas are shown',
  'STUDIO-03': 'A run with an interrupt resumes, and the database shows it',
  'STUDIO-04': 'A thread goes on with a second message',

  // Logs, the OpenAI path, performance
  'LOG-01': 'Every agent action is a JSON line with timestamp, level, agent, action, ticket_id and details',
  'LOG-02': 'E-mail addresses and tokens are masked; secrets are never printed or logged',
  'LOG-03': 'Token counts and cost of a turn are kept with its ticket',
  'OAI-01': 'Tool calls, streaming and structured output work over HTTP against a Chat Completions server',
  'OAI-02': 'Embeddings work over HTTP',
  'OAI-03': '429 with retry-after, 500, and a hang are retried, then given up in time',
  'OAI-04': 'Malformed tool arguments and empty answers do no harm',
  'OAI-05': 'Provider down: answers go on offline and say so; nothing is lost',
  'PERF-01': 'A plain knowledge question costs at most 2 model calls',
  'PERF-02': 'An account question costs at most 3 model calls, a one-step action at most 4',
  'PERF-03': "Prompt tokens of those turns are less than half of the README pattern's",
  'PERF-04': "The hub's own time in an offline turn has a median under 15 ms once warm",
  'PERF-05': 'Offline batch triage does over 1,000 tickets a second, with flat memory to 100,000',
  'PERF-06': 'Online batch triage reaches 90 % of the ideal at concurrency 16',
  'PERF-07': 'A cold start of chat on prepared data answers in under 3 s',
  'PERF-08': 'A turn reads each list of the customer’s records once, and anew after a change',
  'PERF-09': 'Commands run as JavaScript that is built where their sources have changed',
  'PERF-10': 'A turn asks the database of the hub a limited number of times',
  'PERF-11': 'Looking after other servers costs one statement, however many turns they run',
  'PERF-16': 'Events are stored in one statement, which keeps their order itself',
  'PERF-15': 'A server reads once for what other servers store in one moment, at once where it was quiet',
  'PERF-14':
    'An erasure removes what names the customer from the queue of background work, and looks for it there',
  'PERF-12': 'The simulation of several servers waits as the formulas say and names what is at its end',
  'PERF-13': 'A hub moves from PostgreSQL back to a directory whole, resumably and compared, and goes on',

  // Skills
  'SKD-01': 'One descriptor covers all kinds of skill, and a pack needs no TypeScript',
  'SKD-02': 'validate reports every fault of a pack at once, with file, line and what to do',
  'SKD-03': 'The newest version that fits is taken, or the one asked for',
  'SKD-04':
    'Rules between the parts of a pack are checked: steps, cycles, prompts, rubrics, sources, dependencies, inputs',
  'SKT-01':
    'A decision tree takes the first decision that holds and leads to a conclusion by a recorded path',
  'SKT-02': 'Parallel checks run beside the main path and their findings are merged',
  'SKT-03': 'A tree is compiled into a LangGraph graph that Studio draws',
  'SKT-04': 'History, evidence and confidence are saved, and resumed in another process',
  'SKT-05':
    'Low confidence, contradiction, too many steps, no way on and a critical decision ask a person; the skill does not fail',
  'SKT-06': 'The person gets what was found, what was tried and options; the chosen one resumes',
  'SKT-07': 'An investigation returns cause, evidence, confidence, recommended action, time, steps and path',
  'SKE-01': 'Conditions are CEL, checked at load, and reach nothing but their data',
  'SKE-02': 'Parameters of queries are bound, never pasted; a template that would paste is refused',
  'SKS-01': 'SQLite, PostgreSQL, ClickHouse and HTTP are real clients behind one port',
  'SKS-02': 'Credentials come from env:NAME only and never show',
  'SKS-03': 'Sources have time limits; network faults and 5xx are tried again, 4xx never',
  'SKS-04': 'Answers are checked against their schema, limited in rows, and cached as long as the pack says',
  'SKS-05': "A customer's run sees that customer's rows only, whatever the statement says",
  'SKI-01': 'An atomic skill is a function, an HTTP call or a program',
  'SKI-02': 'A program must be allowed, never sees a shell, and has limits of time and output',
  'SKC-01': 'Five levels route, plan, resolve, run and word a composite; a certain level costs no model call',
  'SKC-02': 'Strategies sequential, parallel, conditional and dynamic, and loops',
  'SKC-03': 'Nesting, dependencies, max_depth, timeout_per_skill, retry_on_failure and allow_parallel hold',
  'SKC-04': 'Independent steps run at the same time; a failed step leaves a partial result',
  'SKC-05': 'Parameters are explicit, from earlier steps, inferred, default or missing; below 0.7 it asks',
  'SKC-06': 'Repeated identical calls are cached by skill version and input',
  'SKR-01': 'Triggers route first, and the model only where they do not decide',
  'SKR-02': 'Several skills that claim a request are ranked, and a tie asks',
  'SKG-01': 'LLM_JSON_GENERATION validates, renders, calls, validates and retries once with the errors',
  'SKG-02': 'LLM_REVIEW judges each criterion and scores binary or weighted',
  'SKG-03': 'An indeterminate criterion is never also an issue',
  'SKG-04': 'The review model is separate from the writing model',
  'SKG-05': 'Without a model, templates use their rule fallback and say so',
  'SKP-01': 'Five CultPass investigations ship, over the real databases, in both languages',
  'SKP-02': 'ocean_debugging serves another trade, on a real PostgreSQL too',
  'SKP-03': 'email_workflow nests composites with data flow',
  'SKP-04': 'resolve_ticket summarises, investigates, drafts and reviews, and loops once on a failed review',
  'SKP-05': 'Every shipped pack validates and passes its own test cases',
  'SKH-01':
    "The supervisor sends symptoms to the investigation agent, which runs a skill on the customer's own record",
  'SKH-02': 'The finding goes to the customer as an answer and to the ticket as evidence',
  'SKH-03': 'A recommended action passes the same confirmation and approval as any other',
  'SKH-04': "A skill's question goes to the operators with its options, and the choice goes on",
  'SKH-05': 'A symptom that no skill is for is answered as before',
  'SKH-06':
    "An operator's choice leads somewhere: to an approval that is done once and reported, or to work that stays with the operators",
  'SKX-01': 'npm run skill lists, validates, runs, tests, draws and routes',
  'SKX-02': 'A waiting run is resumed from the command line, in another process, once',
  'SKX-03': 'skill new writes a pack that validates and whose first test passes',
  'SKX-04': 'Metrics are stored for each skill and version and shown by skill stats',
  'SKX-05': 'A running investigation stays on the version it began with',
  'SKX-06': 'Routing, trees, composites and loading reach their times in the benchmark',
  'SKB-01': 'Broken packs are reported and left out; the hub keeps working',
  'SKB-02': 'A source that is down, slow, wrong or endless gives an error and a partial result, never a hang',
  'SKB-03': 'An unknown skill, version, run or choice, or wrong input, is a clear error that names the field',

  // Bad input
  'BAD-01': 'Empty, very long and binary messages get a polite answer',
  'BAD-02': 'Control and bidirectional characters do no harm',
  'BAD-03': 'Broken lines, wrong encodings, a BOM, missing fields and duplicate ids lose nothing',
  'BAD-04': 'A wrong environment value ends with code 2 and one line: variable, value, what is allowed',
  'BAD-05': 'A database from a newer schema is refused in one line',
  'BAD-06': 'A data directory that cannot be written is refused in one line',
  'BAD-07': 'A full disk is told honestly, and nothing is lost',
  'BAD-08': 'The user never sees a stack trace; the log has it',

  // The frame
  // What a company says
  'CMP-01':
    'Every sentence for customers and operators is an ICU message of a file, in each language of the company',
  'CMP-02':
    'What is missing or wrong in a text file is named by file, key and fault, before anything is said',
  'CMP-03': 'A further language of the texts is added by files alone',
  'CMP-04': 'A company says any sentence of the engine in words of its own, under the same key',
  'DONE-01':
    'README and docs/ name every command and every variable there is, and nothing else; their links and paths lead somewhere',
  'DONE-02': 'npm ci needs no flag: the lock fits package.json and holds no download address',
  'DONE-03': 'npm test ends with the line "N passed, N failed", and fails where something failed',
  'DONE-04': 'Types, lint, format and import rules are part of npm test',
  'DONE-05': 'Every clause has an id, and every id a scenario',
  'DONE-06':
    'The picture of the layers and the way of one message in docs/architecture.md are those of the code',
  ...SERVER_REQUIREMENTS,
  ...MODEL_REQUIREMENTS,
  ...PROGRAM_REQUIREMENTS,
  ...ATTACK_REQUIREMENTS,
  ...SKILL_DESIGN_REQUIREMENTS,
} as const satisfies Readonly<Record<string, string>>;

/** The id of a clause. */
export type RequirementId = keyof typeof REQUIREMENTS;
