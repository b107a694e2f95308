import {
  AppendFile,
  FileSink,
  headerOf,
  type OutputFormat,
  type PreviousResults,
  type ResultSink,
} from '../../../triage-batch/index.js';
import type { Terminal } from '../../command.js';

/** Rows into a file, errors beside it. @param errorsPath null where the target is no ordinary file (`/dev/stdout`) */
export function createFileSink(
  path: string,
  errorsPath: string | null,
  format: OutputFormat,
  previous: PreviousResults | null,
): ResultSink {
  return new FileSink(
    { path, keepBytes: previous?.keep.rows ?? 0, header: headerOf(format) },
    errorsPath === null ? null : { path: errorsPath, keepBytes: previous?.keep.errors ?? 0, header: '' },
  );
}

/**
 * Rows to standard output, errors into a file, where there is a place for it.
 * @param errorsPath null where the input is no file, so that nothing could stand beside it
 */
export function createStreamSink(out: Terminal, errorsPath: string | null, format: OutputFormat): ResultSink {
  const errors = errorsPath === null ? null : new AppendFile({ path: errorsPath, keepBytes: 0, header: '' });
  let held = headerOf(format);
  let blocked = false;
  const flush = () => {
    if (held !== '' && !out.destroyed) blocked = !out.write(held);
    held = '';
  };
  return {
    append(rows, errorRows) {
      if (errorRows !== '') errors?.write(errorRows);
      if (rows === '') return;
      if (held === '') setImmediate(flush);
      held += rows;
      if (held.length > 65_536) flush();
    },
    async ready() {
      flush();
      if (blocked && !out.destroyed) await drained(out);
      blocked = false;
    },
    async close() {
      flush();
      errors?.close();
    },
  };
}

/** Room again, or nobody there any more: the latter ends the command by its stop signal, not by an error here. */
function drained(out: Terminal): Promise<void> {
  const events = ['drain', 'error', 'close'];
  return new Promise((resolve) => {
    const done = () => {
      for (const event of events) out.off(event, done);
      resolve();
    };
    for (const event of events) out.on(event, done);
  });
}
