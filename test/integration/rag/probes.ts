import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLocalEmbedder } from '../../../src/adapters/retrieval/local-embedder.js';
import { loadWordVectors } from '../../../src/adapters/retrieval/local-word-vectors.js';
import { MemoryArticleIndex } from '../../../src/adapters/retrieval/memory-article-index.js';
import type { Article } from '../../../src/core/domain/article.js';
import type { Language } from '../../../src/core/domain/taxonomy.js';
import { createBare } from '../../../src/nlu/courtesy.js';
import { parseArticleFile, parseQuestionFile } from '../../../src/rag/article-file.js';
import {
  type Analyzer,
  ArticleReader,
  createAnalyzer,
  createKnowledge,
  type Knowledge,
  type LabelledQuestion,
} from '../../../src/rag/index.js';
import { HybridRetriever } from '../../../src/rag/retriever.js';
import { createRecordingLog } from '../../support/recording-log.js';
import { createSequentialIds } from '../../support/sequential-ids.js';
import { openStores } from '../../support/stores.js';

/** A knowledge base with labelled questions. */
export interface ProbeSource {
  readonly name: string;
  readonly articles: URL;
  readonly questions: URL;
  /** Questions of this split only, where the file has splits. */
  readonly split?: 'fit' | 'heldout';
  /** The calibration that ships with these articles. */
  readonly calibration?: URL;
  /** Whether the shipped calibration learns from it. */
  readonly learnedFrom: boolean;
}

const seed = (name: string): URL => new URL(`../../../companies/cultpass/articles/${name}`, import.meta.url);
const fixture = (name: string): URL => new URL(`./fixtures/${name}`, import.meta.url);
const trade = (name: string, learnedFrom: boolean): ProbeSource => ({
  name,
  articles: fixture(`${name}-articles.jsonl`),
  questions: fixture(`${name}-questions.jsonl`),
  learnedFrom,
});

/** This project's own, and small ones of other trades. */
export const PROBES: readonly ProbeSource[] = [
  {
    name: 'own-fit',
    articles: seed('knowledge.jsonl'),
    questions: seed('kb-questions.jsonl'),
    split: 'fit',
    learnedFrom: true,
  },
  {
    name: 'own-heldout',
    articles: seed('knowledge.jsonl'),
    questions: seed('kb-questions.jsonl'),
    split: 'heldout',
    calibration: seed('calibration.json'),
    learnedFrom: false,
  },
  trade('shop', true),
  trade('bank', true),
  trade('gym', false),
];

export interface Probe extends ProbeOpened {
  readonly name: string;
  readonly learnedFrom: boolean;
}

interface ProbeOpened {
  readonly articleList: readonly Article[];
  readonly questions: readonly LabelledQuestion[];
  readonly knowledge: Knowledge;
  readonly retriever: HybridRetriever;
  close(): Promise<void>;
}

export function readArticles(file: URL): readonly Article[] {
  return parseArticleFile(readFileSync(file)).map((draft) => ({
    ...draft,
    language: draft.language ?? 'en',
    updatedAt: '2025-01-01T00:00:00.000Z',
  }));
}

function readQuestions(file: URL, split?: 'fit' | 'heldout'): readonly LabelledQuestion[] {
  return parseQuestionFile(readFileSync(file)).filter(
    ({ heldOut }) => split === undefined || (heldOut === true) === (split === 'heldout'),
  );
}

/** Portuguese or English by the words alone; the hub passes its own detector. */
export function languageBy(analyzer: Analyzer): (text: string) => Language {
  return (text) => (analyzer.analyze(text).isPortuguese ? 'pt-BR' : 'en');
}

/** What all knowledge bases are read with. */
let reader: ArticleReader | undefined;

function createReader(): ArticleReader {
  const [analyzer, vectors] = [createAnalyzer(), loadWordVectors()];
  const local = createLocalEmbedder({ analyzer, vectors });
  return new ArticleReader({ analyzer, local, isWord: (word) => vectors.rankOf(word) !== null });
}

/** The knowledge base in a real SQLite store, with exact vector search in memory. */
export async function openProbe(source: ProbeSource): Promise<Probe> {
  const dataDir = mkdtempSync(join(tmpdir(), 'hub-probe-'));
  const log = createRecordingLog();
  const stores = await openStores({
    dataDir,
    clock: { now: () => new Date(0) },
    ids: createSequentialIds(),
    log,
  });
  reader ??= createReader();
  const { analyzer, local: embedder } = reader;
  const articleList = readArticles(source.articles);
  const knowledge = createKnowledge({
    store: stores.knowledge,
    embedder,
    reader,
    bare: createBare('CultPass'),
    index: new MemoryArticleIndex(),
    log,
    calibration: source.calibration,
    detectLanguage: languageBy(analyzer),
    languages: ['en', 'pt-BR'],
  });
  await knowledge.reindex(articleList);
  if (!(knowledge.retriever instanceof HybridRetriever)) throw new Error('the retriever is another one');
  return {
    name: source.name,
    learnedFrom: source.learnedFrom,
    articleList,
    questions: readQuestions(source.questions, source.split),
    knowledge,
    retriever: knowledge.retriever,
    close: async () => {
      await stores.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
