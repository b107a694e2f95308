/** A few of many entries of a vector. */
export interface Sparse {
  readonly indices: Int32Array;
  readonly values: Float32Array;
}

/** Its entries that are not next to nothing. */
export function sparse(vector: readonly number[]): Sparse {
  const indices: number[] = [];
  const values: number[] = [];
  for (let at = 0; at < vector.length; at += 1) {
    const value = vector[at] ?? 0;
    if (Math.abs(value) <= 0.005) continue;
    indices.push(at);
    values.push(value);
  }
  return { indices: Int32Array.from(indices), values: Float32Array.from(values) };
}

/** Cosine of unit vectors, one of them with few entries. */
export function sparseDot({ indices, values }: Sparse, vector: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < indices.length; i += 1) sum += (values[i] ?? 0) * (vector[indices[i] ?? 0] ?? 0);
  return sum;
}

/** Cosine of unit vectors. */
export function dot(a: readonly number[], b: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}
