import { Buffer } from 'node:buffer';
import { fileURLToPath } from 'node:url';
import type { IntentTable } from '../core/domain/intent.js';
import { HubError } from '../core/errors.js';
import { LinearModel, type ModelHeader } from './linear-model.js';
import { untaught } from './phrase-intents.js';
import { VECTOR_SIZE } from './word-vectors.js';

/** The numbers of a model as they are stored: weights are row-major, one row of all heads' classes a feature. */
export interface ModelNumbers {
  readonly hashes: Uint32Array;
  readonly weights: Int8Array;
  /** What one unit of an 8-bit weight is worth, by class. */
  readonly scales: Float32Array;
  readonly bias: Float32Array;
}

const MAGIC = 0x554c4e31; // "1NLU", little-endian

/** Lays a model out as: magic, header length, header (JSON, padded to 4 bytes), scales, bias, hashes, weights. */
export function writeModel(header: ModelHeader, numbers: ModelNumbers): Buffer {
  const json = Buffer.from(JSON.stringify(header), 'utf8');
  const padded = Buffer.alloc(Math.ceil(json.length / 4) * 4, ' ');
  json.copy(padded);
  const intro = Buffer.alloc(8);
  intro.writeUInt32LE(MAGIC, 0);
  intro.writeUInt32LE(padded.length, 4);
  const bytes = (array: Uint32Array | Float32Array | Int8Array) =>
    Buffer.from(array.buffer, array.byteOffset, array.byteLength);
  return Buffer.concat([
    intro,
    padded,
    bytes(numbers.scales),
    bytes(numbers.bias),
    bytes(numbers.hashes),
    bytes(numbers.weights),
  ]);
}

/** Where the model of the questions about the own record stands, by that of the intents. */
export function questionsFile(modelFile: URL | string): string {
  return String(modelFile instanceof URL ? fileURLToPath(modelFile) : modelFile).replace(
    /(?:\.bin)?$/,
    '.questions.bin',
  );
}

/** Of what a model was made, without reading its numbers; undefined where the bytes are no model, or one that does not say. */
export function contentOfModel(file: Buffer): string | undefined {
  if (file.length < 8 || file.readUInt32LE(0) !== MAGIC) return undefined;
  return (JSON.parse(file.toString('utf8', 8, 8 + file.readUInt32LE(4))) as ModelHeader).content;
}

/** Reads what {@link writeModel} wrote. @throws Error where the bytes are not such a model */
export function readModel(file: Buffer): LinearModel {
  if (file.length < 8 || file.readUInt32LE(0) !== MAGIC) {
    throw new Error('not a language model file: train it with `npm run train:nlu`');
  }
  const headerLength = file.readUInt32LE(4);
  const header = JSON.parse(file.toString('utf8', 8, 8 + headerLength)) as ModelHeader;
  const width = header.heads.reduce((sum, head) => sum + head.classes.length, 0);
  const expected =
    8 + headerLength + width * 8 + header.features * 4 + (header.features + VECTOR_SIZE) * width;
  if (header.format !== 1 || file.length !== expected) {
    throw new Error('the language model file is damaged or of another version: train it again');
  }
  // A copy is aligned to 4 bytes; a slice of Node's pooled buffer need not be.
  const data = new Uint8Array(file.subarray(8 + headerLength)).buffer;
  return new LinearModel(
    header,
    new Uint32Array(data, width * 8, header.features),
    new Int8Array(data, width * 8 + header.features * 4, (header.features + VECTOR_SIZE) * width),
    new Float32Array(data, 0, width),
    new Float32Array(data, width * 4, width),
  );
}

/** Refuses a model that tells other intents apart than there are. @throws HubError `config_invalid` */
export function demandTrained(
  classes: readonly string[],
  intents: IntentTable,
  modelFile: URL | string,
): void {
  const untrained = untaught(intents, classes);
  const unknown = classes.filter((name) => !intents.has(name));
  if (untrained.length + unknown.length === 0) return;
  const told = [
    ...untrained.map((name) => `${name} was never trained`),
    ...unknown.map((name) => `${name} is not declared`),
  ];
  throw new HubError(
    'config_invalid',
    `The model ${modelFile} does not fit the intents: ${told.join(', ')}. Run npm run train:nlu`,
    { file: String(modelFile) },
  );
}
