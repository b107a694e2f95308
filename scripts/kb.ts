import { readFile, writeFile } from 'node:fs/promises';
import { Command } from 'commander';
import type { App } from '../src/app/app.js';
import { HubError, messageOf } from '../src/core/errors.js';
import type { OnIndexing } from '../src/core/ports/knowledge-store.js';
import {
  type CommandHost,
  EXIT,
  isProgram,
  runCommand,
  wholeNumber,
  withApp as withHub,
} from '../src/surfaces/command.js';
import { createProgressLine, type Terminal } from '../src/surfaces/progress-line.js';

const DEFAULT_TOP_K = 5;
const MAX_TOP_K = 50;
/** The work is about the vectors: the index of a busy machine is waited for, where a customer would be answered by words. */
const INDEX_WAIT_MS = 60_000;

interface Runner {
  /** Prepares the hub, does one thing with the knowledge base, and leaves. */
  withApp(work: (app: App) => Promise<void>): Promise<void>;
  /** What was asked for. */
  print(text: string): void;
  /** Everything else. */
  note(text: string): void;
  /** How many articles this command has embedded and written so far, what opening the hub did included. */
  readonly indexed: Readonly<Record<'embedding' | 'writing', number>>;
}

function runnerIn(host: CommandHost): Runner {
  const progress = createProgressLine(host.stderr, () => performance.now());
  const to = (stream: Terminal) => (text: string) => {
    progress.done();
    stream.write(`${text}\n`);
  };
  const [print, note] = [to(host.stdout), to(host.stderr)];
  // Opening the hub continues with what an earlier run left, so that it is shown as well.
  const indexed = { embedding: 0, writing: 0 };
  const last = { embedding: 0, writing: 0 };
  const onIndexing: OnIndexing = (stage, done, of) => {
    indexed[stage] += done > last[stage] ? done - last[stage] : done;
    last[stage] = done;
    progress.update(done / of, `${stage} ${done} of ${of} articles`);
  };
  const withApp: Runner['withApp'] = (work) =>
    withHub(
      host,
      async ({ app }) => {
        try {
          await work(app);
          return EXIT.done;
        } catch (error) {
          // What a file holds is the work, not the usage.
          if (!(error instanceof HubError) || error.code !== 'input_invalid') throw error;
          note(`error: ${error.message}`);
          return EXIT.failed;
        }
      },
      { indexWaitMs: INDEX_WAIT_MS, onIndexing },
    ).finally(progress.done);
  return { withApp, print, note, indexed };
}

async function readInput(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    throw new HubError('input_invalid', `${file} cannot be read: ${messageOf(error)}`);
  }
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

async function index({ withApp, print, note, indexed }: Runner, file: string | undefined): Promise<void> {
  const bytes = file === undefined ? undefined : await readInput(file);
  await withApp(async (app) => {
    const done = bytes === undefined ? await app.kb.index() : await app.kb.indexFile(bytes);
    if (!done.indexed)
      throw new HubError(
        'index_unavailable',
        `The articles are stored and found by keywords, but the vector index is not up to date: ${done.reason ?? ''}`,
      );
    // What there was to do may have been done by opening the hub, which continues with what an earlier run left.
    const before = bytes === undefined ? indexed : { embedding: 0, writing: 0 };
    const [embedded, written] = [before.embedding || done.embedded, before.writing || done.upserted];
    print(
      `${done.articles} articles indexed: ${embedded} embedded, ${written} written, ${done.removed} removed, in ${done.tookMs} ms`,
    );
    for (const { articleId, kind, text } of await app.kb.warnings())
      note(
        `warning: ${articleId} ${kind === 'link' ? 'links to another site' : 'speaks to a program'}, and answers quote it: ${text}`,
      );
  });
}

async function search(
  { withApp, print, note }: Runner,
  query: string,
  options: { topK: number; json?: boolean },
): Promise<void> {
  await withApp(async (app) => {
    const { hits, mode } = await app.kb.search(query, { topK: options.topK });
    if (mode === 'keyword') note('The vector index does not answer; these results are by keywords only.');
    if (options.json === true) {
      const rows = hits.map((hit) => ({
        article_id: hit.articleId,
        title: hit.title,
        confidence: rounded(hit.confidence),
        raw_confidence: rounded(hit.rawConfidence),
        distance: hit.distance === null ? null : rounded(hit.distance),
        snippet: hit.snippet,
      }));
      print(JSON.stringify(rows));
      return;
    }
    if (hits.length === 0) note('Nothing found.');
    for (const [i, hit] of hits.entries())
      print(
        `${i + 1}. ${hit.title}  [${hit.articleId}]  confidence ${percent(hit.confidence)}\n   ${hit.snippet}`,
      );
  });
}

const rounded = (value: number): number => Math.round(value * 10_000) / 10_000;

async function show({ withApp, print }: Runner, articleId: string): Promise<void> {
  await withApp(async (app) => {
    const article = await app.kb.show(articleId);
    print(
      `${article.title}\n${article.articleId} · ${article.language} · ${article.tags.join(', ')} · ${article.updatedAt}\n\n${article.content}`,
    );
  });
}

async function list({ withApp, print }: Runner): Promise<void> {
  await withApp(async (app) => {
    for (const article of await app.kb.list())
      print(`${article.articleId}\t${article.language}\t${article.title}`);
  });
}

async function calibrate(
  { withApp, print }: Runner,
  file: string,
  options: { json?: boolean; save?: string },
): Promise<void> {
  const bytes = await readInput(file);
  await withApp(async (app) => {
    const done = await app.kb.calibrateFile(bytes);
    if (options.save !== undefined) await writeFile(options.save, done.stored);
    if (options.json === true) {
      const { stored: _, ...report } = done;
      print(JSON.stringify(report));
      return;
    }
    print(
      `${done.questions} questions, ${done.hybrid.answerable} of them answerable; embedding ${done.embedder}; calibration stored`,
    );
    for (const [name, metrics] of [
      ['hybrid', done.hybrid],
      ['keywords only', done.keyword],
      ['held out', done.heldOut],
      ...done.byHand.map(({ hand, metrics }) => [`held out, hand ${hand}`, metrics] as const),
    ] as const) {
      if (metrics === null) continue;
      print(
        `${name}: hit@1 ${percent(metrics.hitAt1)}  hit@3 ${percent(metrics.hitAt3)}  MRR ${metrics.mrr.toFixed(3)}  AUC ${metrics.auc.toFixed(3)}\n` +
          `  at ${metrics.threshold}: right ${percent(metrics.precisionAtThreshold)} of what is answered, answers ${percent(metrics.recallAtThreshold)} of what could be, rejects ${percent(metrics.rejectedAtThreshold)} of what no article answers\n` +
          `  where the questions say what the answer is: ${percent(metrics.saidAtThreshold)} are sent it, ${percent(metrics.missedAtThreshold)} of what is sent lacks it`,
      );
    }
    for (const [name, metrics] of [
      ['sentences that answer, held out', done.units?.heldOut],
      ['sentences that answer, on articles not learned from', done.units?.unseenArticles],
    ] as const) {
      if (!metrics) continue;
      print(
        `${name}: ${percent(metrics.first)} of ${metrics.questions} first; all of them sent to ${percent(metrics.whole)}, some to ${percent(metrics.some)}, in ${metrics.words.toFixed(0)} words`,
      );
    }
    print('confidence, cross-validated: share of first hits that were right');
    for (const bin of done.reliability)
      print(
        `  ${bin.from.toFixed(1)} to ${bin.to.toFixed(1)}: ${bin.count === 0 ? '-' : percent(bin.right / bin.count)} of ${bin.count}`,
      );
  });
}

async function calibrateFurther(
  { withApp, print }: Runner,
  file: string,
  options: { beside: readonly string[]; json?: boolean; save?: string },
): Promise<void> {
  const bytes = await readInput(file);
  const known = await Promise.all(options.beside.map(readInput));
  await withApp(async (app) => {
    const { stored, ...report } = await app.kb.calibrateFurther(bytes, known);
    if (options.save !== undefined) await writeFile(options.save, stored);
    if (options.json === true) return print(JSON.stringify(report));
    print('calibration stored; what was held out of the new questions:');
    for (const [name, metrics] of [
      ['before', report.before],
      ['after', report.after],
    ] as const)
      if (metrics !== null)
        print(
          `${name}: hit@1 ${percent(metrics.hitAt1)}; at ${metrics.threshold}: right ${percent(metrics.precisionAtThreshold)} of what is answered, answers ${percent(metrics.recallAtThreshold)} of what could be`,
        );
  });
}

/** The command. @param host what it runs in */
export function kbCommand(host: CommandHost): Command {
  const at = runnerIn(host);
  const program = new Command('kb').description(
    'The knowledge base: index it, search it, calibrate its confidence.',
  );
  program
    .command('index [FILE]')
    .description(
      'replace the knowledge base with a JSONL of {article_id?, title, content, tags?, language?}; without FILE, index what the database holds',
    )
    .action((file?: string) => index(at, file));
  program
    .command('search <QUERY>')
    .description('find articles, best first')
    .option('--top-k <N>', 'how many', wholeNumber('--top-k', 1, MAX_TOP_K), DEFAULT_TOP_K)
    .option('--json', 'one JSON array of {article_id, title, confidence, raw_confidence, distance, snippet}')
    .action((query: string, options: { topK: number; json?: boolean }) => search(at, query, options));
  program
    .command('show <ID>')
    .description('print one article')
    .action((id: string) => show(at, id));
  program
    .command('list')
    .description('print id, language and title of all articles')
    .action(() => list(at));
  program
    .command('calibrate <FILE>')
    .description(
      'fit the confidence on a JSONL of {query, article_id|null, answer?, units?, split?} (null: no article answers; answer: texts that the passage must hold; units: numbers of the sentences and items that answer, from 1; split "heldout": measured only), print how good the search is, and store it',
    )
    .option('--json', 'one JSON object')
    .option(
      '--save <FILE>',
      'write what was learned to a file too: a company ships it as articles/calibration.json',
    )
    .option(
      '--beside <FILE...>',
      'learn only the questions of the first file, beside the calibration in force, which is held to what it says of the questions in these',
    )
    .action((file: string, options: { beside?: readonly string[]; json?: boolean; save?: string }) => {
      const { beside, ...others } = options;
      return beside ? calibrateFurther(at, file, { ...others, beside }) : calibrate(at, file, others);
    });
  return program;
}

if (isProgram(import.meta.url)) await runCommand(kbCommand(process), process.argv);
