import { Writable } from 'node:stream';

/**
 * Keeps a process's standard output for the protocol: the stream that is returned writes to it, and whatever else writes
 * there from now on, a library or a stray message, goes to standard error.
 */
export function reserveOutput(output: NodeJS.WriteStream, others: NodeJS.WriteStream): Writable {
  const write = output.write.bind(output);
  output.write = others.write.bind(others) as typeof output.write;
  return new Writable({
    decodeStrings: false,
    write: (chunk: string, encoding, done) => void write(chunk, encoding, done),
  });
}
