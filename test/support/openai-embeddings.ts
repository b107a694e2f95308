import { createHash } from 'node:crypto';
import type { ChatRequest } from './openai-wire.js';

const DIMENSIONS = 1536;

/** Embeddings of the texts of a request: words hashed into a unit vector, so that shared words mean nearness. */
export function embeddingsBody(request: ChatRequest): unknown {
  const texts = typeof request.input === 'string' ? [request.input] : (request.input ?? []);
  const data = texts.map((text, index) => {
    const vector = embed(text, request.dimensions ?? DIMENSIONS);
    return {
      object: 'embedding',
      index,
      embedding: request.encoding_format === 'base64' ? toBase64(vector) : vector,
    };
  });
  const tokens = Math.ceil(texts.join(' ').length / 4);
  return {
    object: 'list',
    model: request.model,
    data,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  };
}

function embed(text: string, dimensions: number): number[] {
  const vector = new Array<number>(dimensions).fill(0);
  const words = text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [''];
  for (const word of words) {
    const slot = createHash('md5').update(word).digest().readUInt32LE(0) % dimensions;
    vector[slot] = (vector[slot] ?? 0) + 1;
  }
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

function toBase64(vector: readonly number[]): string {
  return Buffer.from(new Float32Array(vector).buffer).toString('base64');
}
