import { LRUCache } from 'lru-cache';
import { createLocalEmbedder } from '../adapters/retrieval/local-embedder.js';
import { loadWordVectors } from '../adapters/retrieval/local-word-vectors.js';
import type { Config } from '../config/config.js';
import type { StatementReader } from '../core/ports/language-layer.js';
import { createDialogue, type Dialogue, type MessageModel, readMessageModel } from '../dialogue/index.js';
import { type ActModel, createActModel, createNlu, createStatementReader, type Nlu } from '../nlu/index.js';
import { type Analyzer, ArticleReader, createAnalyzer } from '../rag/index.js';
import type { LoadedSkills } from '../skills/pack/load-folders.js';
import { type LoadedCompany, loadSkills, readCompany } from './company.js';
import { withFreshModel } from './language-model.js';

/**
 * What an App reads from files that do not change while it runs: the company, the language models, the lexicon of the
 * search, the packs. Several Apps of one process may share it; nothing of a customer is in it.
 */
export interface Resources {
  readonly company: LoadedCompany;
  readonly nlu: Nlu;
  readonly acts: ActModel;
  readonly statements: StatementReader;
  readonly messages: MessageModel;
  /** The dialogue over its language layer, or over that layer with other intents; made when it is asked for. */
  dialogueOver(nlu: Nlu): Dialogue;
  /** Reads the articles for the search, with an embedding that needs no provider; made when it is asked for. */
  articleReader(): ArticleReader;
  /** The packs of the configured folders, loaded and checked whole when they are asked for. */
  packs(): LoadedSkills;
}

/** Texts whose analysis is kept: the articles of a usual knowledge base, and the last questions. */
const ANALYSED_TEXTS = 1_000;

/** Reads all of it. @throws HubError `config_invalid` */
export async function readResources(
  config: Config,
  onProgress?: (message: string) => void,
): Promise<Resources> {
  const { dataDir } = config;
  const company = await withFreshModel(await readCompany(config), { dataDir, say: onProgress });
  const plain = createAnalyzer();
  const [nlu, acts, statements] = await Promise.all([
    createNlu(company.nlu),
    createActModel(),
    createStatementReader(plain),
  ]);
  const analyzer = remembering(plain);
  const dialogue = once(() => dialogueOf(company, nlu, acts));
  return {
    ...{ company, nlu, acts, statements, messages: readMessageModel() },
    dialogueOver: (layer) => (layer === nlu ? dialogue() : dialogueOf(company, layer, acts)),
    articleReader: once(() => {
      const vectors = loadWordVectors();
      const local = createLocalEmbedder({ analyzer, vectors });
      // A general English word is right as it stands.
      return new ArticleReader({ analyzer, local, isWord: (word) => vectors.rankOf(word) !== null });
    }),
    packs: packsOf(config, company),
  };
}

function dialogueOf({ nlu: { entities }, profile }: LoadedCompany, nlu: Nlu, acts: ActModel): Dialogue {
  const { name: companyName, languages } = profile;
  return createDialogue(nlu, acts, { entities, companyName, languages });
}

/** The packs of the configured folders, loaded once. */
export function packsOf(config: Config, company: LoadedCompany): Resources['packs'] {
  return once(() => loadSkills(config, company));
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Analyses each text once, as long as it is among the last ones. */
function remembering(analyzer: Analyzer): Analyzer {
  const known = new LRUCache<string, ReturnType<Analyzer['analyze']>>({
    max: ANALYSED_TEXTS,
    memoMethod: (text) => analyzer.analyze(text),
  });
  return { ...analyzer, analyze: (text) => known.memo(text) };
}
