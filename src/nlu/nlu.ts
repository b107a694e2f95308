import { readFile } from 'node:fs/promises';
import { LRUCache } from 'lru-cache';
import type { CompanyProfile } from '../core/domain/company.js';
import type { EntityWords } from '../core/domain/entity.js';
import type { IntentTable } from '../core/domain/intent.js';
import type { IssueType, Language, Route } from '../core/domain/taxonomy.js';
import { createOwnWords, type ReadOwnWords } from '../core/own-words.js';
import { createMatterReader } from './acts.js';
import { type Analysis, Analyzer, loadWordLists, loadWordVectors } from './analysis.js';
import { type AttendingReader, applyCompanions, createAttendingReader } from './attending.js';
import { type ClauseReader, readClauseReader } from './clause-roles.js';
import { calibratedConfidence, inOrder, likeliestIssue, sharedOut } from './confidence.js';
import { type ContrastReader, createContrastReader } from './contrast.js';
import { applyDanger, createDangerReader, type DangerReader } from './danger.js';
import type { Features } from './features.js';
import { createAsked, createGist } from './gist.js';
import type { IntentGuess, TriageGuess } from './guesses.js';
import { chancesOf, createLanguageDetector, type LanguageDetector, type LanguageGuess } from './language.js';
import type { LinearModel, Reading } from './linear-model.js';
import { createMannerReader } from './manner.js';
import { type RoleReader, readRoleReader } from './mention-roles.js';
import { demandTrained, readModel } from './model-file.js';
import { createPhraseIntents } from './phrase-intents.js';
import { createPreferredReader, type PreferredReader } from './preferred.js';
import { decidePriority } from './priority.js';
import { remembered } from './remembered.js';
import { createSlots, type Slots } from './slots/index.js';
import { summarize } from './summary.js';
import { createStretches } from './symptoms.js';
import {
  createQuestionReader,
  type QuestionGuess,
  type QuestionReader,
  withTaught,
} from './taught-questions.js';
import { applyTeamRequest, createTeamReader, type TeamReader } from './team.js';
import { decideHuman, decideRoute, decideSentiment, refineIntent, type TriageFacts } from './triage-rules.js';

/** From here on a part of a message asks for a change of its own. */
const SURE_CHANGE = 0.4;
/** Texts whose reading is kept: the clauses of a long message. */
const HEARD_TEXTS = 32;

/** The offline language layer. All methods are pure, synchronous and never throw, whatever the text. */
export interface Nlu {
  /** The intents it tells apart. */
  readonly intents: IntentTable;
  /** The same with something else known of those intents. @param intents of the same names */
  knowing(intents: IntentTable): Nlu;
  /** The company's. */
  readonly languages: readonly Language[];
  /** Cuts a text where one thing that happened may end and the next begin; nothing where it is a long story. */
  stretchesOf(text: string): readonly string[];
  /** True where a text does no more than ask how or where to do what was said before: "how do I do that?" */
  asksHow(text: string): boolean;
  /** What a text means, without what it says is not meant. */
  readonly meant: ContrastReader;
  /** The same without its asides too: what a message asks, and what that depends on. */
  readonly asked: ContrastReader;
  /** What of a message is the customer's own. */
  readonly ownWords: ReadOwnWords;
  /** Reads what messages say of the company's records. */
  readonly slots: Slots;
  /** Tells what a message wants of the records that it names. */
  readonly roles: RoleReader;
  /** @param previous language of the conversation so far; kept where the text is too short to tell */
  detectLanguage(text: string, previous?: Language): LanguageGuess;
  classifyIntent(text: string, language?: Language): IntentGuess;
  /** What a text is likeliest to ask of the customer's own records, or which other kind of message it is; null where no sentences taught that. */
  readQuestion(text: string): QuestionGuess | null;
  triage(text: string, previous?: Language): TriageGuess;
  /** What a text says, in the sentences of it that say most. */
  summaryOf(text: string): string;
  /** What is a matter for people of the company. */
  readonly team: TeamReader;
  /** True where a text asks or reports something, though a company's few sentences may take it for small talk. */
  isMatter(text: string, language: Language, confidence: number): boolean;
  /** True where the text presses: "this is urgent", "right now". */
  hasHaste(text: string): boolean;
}

/** What a company's customers want, and the model that was trained to tell it. */
interface NluOptions {
  readonly intents: IntentTable;
  /** What customers call the company's records. */
  readonly entities: readonly EntityWords[];
  readonly company: Pick<CompanyProfile, 'name' | 'currency' | 'timeZone' | 'languages' | 'issueTypes'>;
  readonly modelFile: URL | string;
}
type Given = Omit<NluOptions, 'modelFile'> & Pick<Nlu, 'roles' | 'isMatter'> & ClauseReader;

/** A text with what was found in it. */
interface Heard {
  readonly analysis: Analysis;
  readonly read: Reading;
  readonly predicted: Pick<TriageGuess, 'intent' | 'issueType'> & { readonly sentiments: Float32Array };
}

class OfflineNlu implements Nlu {
  readonly intents: IntentTable;
  readonly languages: readonly Language[];
  readonly slots: Slots;
  readonly roles: RoleReader;
  readonly isMatter: Nlu['isMatter'];
  readonly stretchesOf: Nlu['stretchesOf'];
  readonly asksHow: Nlu['asksHow'];
  readonly meant: ContrastReader;
  readonly asked: ContrastReader;
  readonly ownWords: ReadOwnWords;
  readonly #classes: readonly string[];
  readonly #attending: AttendingReader;
  readonly team: TeamReader;
  readonly #preferredIn: PreferredReader;
  readonly #routes: readonly Route[];
  readonly #told: ReturnType<typeof createPhraseIntents>;
  readonly #analyzer: Analyzer;
  readonly #model: LinearModel;
  readonly #detector: LanguageDetector;
  readonly #danger: DangerReader;
  readonly #questions: QuestionReader;
  /** One message is asked about several times, whole and by its clauses. */
  readonly #heard = new LRUCache<string, Heard>({ max: HEARD_TEXTS, memoMethod: (text) => this.#hear(text) });
  readonly readQuestion: Nlu['readQuestion'] = remembered((text) =>
    this.#questions(this.#heard.memo(text).analysis.features),
  );
  readonly knowing: Nlu['knowing'];

  constructor(
    given: Given,
    analyzer: Analyzer,
    model: LinearModel,
    detector: LanguageDetector,
    danger: DangerReader,
    questions: QuestionReader,
  ) {
    const { intents, entities, company } = given;
    this.knowing = (intents) =>
      new OfflineNlu({ ...given, intents }, analyzer, model, detector, danger, questions);
    this.intents = intents;
    [this.roles, this.isMatter] = [given.roles, given.isMatter];
    this.languages = company.languages;
    this.stretchesOf = createStretches(company.languages);
    this.asksHow = createMannerReader(company.languages);
    const slots = createSlots({ ...company, entities, companyName: company.name });
    this.slots = withTaught(slots, entities, (text) => this.readQuestion(text));
    const contrast = createContrastReader(company.languages, slots.things);
    const gist = createGist(company.languages, this);
    this.meant = (text) => contrast(gist(text) ?? text);
    this.asked = remembered(createAsked(this.meant, given, this));
    this.#classes = model.classesOf('intent');
    this.#routes = this.#classes.map((name) => intents.of(name).route);
    this.ownWords = createOwnWords(company);
    this.#attending = createAttendingReader(company.languages, this.slots.isThing);
    this.team = createTeamReader(company.languages);
    this.#preferredIn = createPreferredReader(company.languages);
    this.#told = createPhraseIntents(intents, (word) => this.slots.isThing(word));
    this.#analyzer = analyzer;
    [this.#model, this.#detector] = [model, detector];
    this.#danger = danger;
    this.#questions = questions;
  }

  detectLanguage(text: string, previous?: Language): LanguageGuess {
    const analysis = this.#analyzer.analyze(text);
    return this.#language(analysis, this.#read(analysis.written.features), previous);
  }

  classifyIntent(text: string): IntentGuess {
    return this.#heard.memo(text).predicted.intent;
  }

  hasHaste(text: string): boolean {
    return this.#analyzer.analyze(text).signals.counts.urgent > 0;
  }

  triage(text: string, previous?: Language): TriageGuess {
    const { analysis, read, predicted } = this.#heard.memo(text);
    const { features, written, signals } = analysis;
    const asWritten = written.features === features ? read : this.#read(written.features);
    const language = this.#language(analysis, asWritten, previous);
    const { intent, issueType } = predicted;
    const info = this.intents.of(intent.intent);
    const sentiment = decideSentiment(predicted.sentiments, signals, intent, info);
    const priority = decidePriority({ intent: info, issueType, sentiment, signals });
    const facts: TriageFacts = { intent, info, issueType, sentiment, priority, signals };
    const humanReason = this.#attending.isOfCompany(analysis.cleaned) ? null : decideHuman(facts);
    return {
      ...{ issueType, priority, sentiment },
      requiresHuman: humanReason !== null,
      humanReason,
      route: decideRoute(facts, humanReason),
      summary: this.summaryOf(text, analysis),
      confidence: intent.confidence,
      intent,
      language,
    };
  }

  summaryOf(text: string, { cleaned } = this.#analyzer.analyze(text)): string {
    return summarize(cleaned, (sentence) => this.#analyzer.conceptCount(sentence));
  }

  #hear(text: string): Heard {
    const said = this.#attending.withoutDenial(this.team.besideNoPerson(text) ?? text);
    const analysis = this.#analyzer.analyze(this.#preferred(said));
    const read = this.#read(analysis.features);
    return { analysis, read, predicted: this.#predict(analysis, read) };
  }

  /** Of two changes the one that is wanted first. */
  #preferred(text: string): string {
    return this.#preferredIn(text, (part) => {
      const { intent, confidence } = this.classifyIntent(part);
      return confidence >= SURE_CHANGE && this.intents.of(intent).route === 'action';
    });
  }

  #read(features: Features): Reading {
    const vector = this.#model.vectorize(features);
    const [intents, issues, sentiments, languages, scopes] = this.#model.predict(vector);
    if (!intents || !issues || !sentiments || !languages || !scopes)
      throw new Error('the language model lacks a head');
    return { vector, intents, issues, sentiments, languages, scopes };
  }

  #language(
    { cleaned, written }: Analysis,
    { vector, languages }: Reading,
    previous: Language | undefined,
  ): LanguageGuess {
    const chances =
      vector.indices.length === 0 ? {} : chancesOf(this.#model.classesOf('language'), languages);
    return this.#detector.detect(cleaned, written.tokens, chances, previous);
  }

  #predict(analysis: Analysis, { vector, intents, issues, sentiments, scopes }: Reading) {
    const classes = this.#classes;
    const order = inOrder(intents, this.#routes);
    const [first = 0, second = 0] = order;
    const confidence =
      analysis.tokens.length === 0
        ? 0
        : calibratedConfidence(this.#model.header.confidence, {
            first: intents[first] ?? 0,
            second: intents[second] ?? 0,
            coverage: vector.coverage,
            words: analysis.features.word.length,
          });
    const foreign = intents[classes.indexOf('out_of_scope')] ?? 0;
    const isOfCompany = this.#attending.isOfCompany(analysis.cleaned);
    const outOfScope = isOfCompany ? 0 : ((scopes[1] ?? 0) + foreign) / 2;
    const all = sharedOut(intents, order, confidence).map(({ at, confidence }) => ({
      intent: classes[at] ?? 'out_of_scope',
      confidence,
    }));
    const people = applyCompanions(this.#attending, this.intents, analysis.cleaned, all);
    const asked = applyTeamRequest(this.team, this.intents, analysis.cleaned, people);
    const [analyzer, isPlain] = [this.#analyzer, this.#attending.tellsLife(analysis.cleaned)];
    const danger = this.#danger.read(analysis, analyzer, isPlain);
    const ranked = applyDanger(this.#attending, danger, analysis.cleaned, asked).slice(0, 3);
    const isMoved = ranked[0]?.intent !== asked[0]?.intent;
    const [heard = { intent: 'out_of_scope', confidence }] = ranked;
    const intent = refineIntent({ ...heard, ranked }, analysis.tokens, analysis.signals);
    const told = this.#told(analysis.cleaned, { ...intent, outOfScope, danger });
    if (told !== null) return { intent: told, issueType: this.intents.of(told.intent).issueType, sentiments };
    return {
      intent: { ...intent, outOfScope, danger },
      issueType: this.#issueType(intent.intent, isMoved ? null : intents, issues),
      sentiments,
    };
  }

  /** That of the intent itself where the chances of the intents do not stand for it. */
  #issueType(intent: string, intents: Float32Array | null, issues: Float32Array): IssueType {
    if (intents === null) return this.intents.of(intent).issueType;
    const best = likeliestIssue(intents, issues, this.#model.header.issueGivenIntent);
    return this.#model.classesOf('issue_type')[best] ?? this.intents.of(intent).issueType;
  }
}

/**
 * Loads word lists, language data and the trained model.
 * @throws HubError `config_invalid` where the model was trained for other intents; Error where a file is missing or damaged
 */
export async function createNlu({ modelFile, ...company }: NluOptions): Promise<Nlu> {
  const [lists, vectors, languages, danger, questions, file] = await Promise.all([
    loadWordLists(company.company.languages),
    loadWordVectors(),
    createLanguageDetector(company.company.languages, company.entities),
    createDangerReader(company.company.languages),
    createQuestionReader(modelFile),
    readFile(modelFile),
  ]);
  const model = readModel(file);
  demandTrained(model.classesOf('intent'), company.intents, modelFile);
  const analyzer = new Analyzer(lists, vectors, new Map(model.header.words), company.entities);
  const isMatter = await createMatterReader(modelFile);
  const given = { ...company, ...readClauseReader(vectors), roles: readRoleReader(), isMatter };
  return new OfflineNlu(given, analyzer, model, languages, danger, questions);
}
