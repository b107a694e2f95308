import type { ChildProcess } from 'node:child_process';

interface Handle {
  close(): void;
}

/**
 * A connection that is on its way to a worker when the worker dies would stay open and silent: Node forgets it. Remembers
 * the last one sent to a process; one at a time is on its way. The function closes it, so that its client tries again.
 */
export function closeHandedOver(process: ChildProcess): () => void {
  let last: Handle | null = null;
  const send = process.send.bind(process) as (...args: unknown[]) => boolean;
  process.send = (...args: unknown[]): boolean => {
    if (isHandle(args[1])) last = args[1];
    return send(...args);
  };
  // One that has arrived is closed here already, and closing it again does nothing.
  return () => last?.close();
}

function isHandle(value: unknown): value is Handle {
  return typeof value === 'object' && value !== null && 'close' in value && typeof value.close === 'function';
}
