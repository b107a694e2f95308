import type { Interface } from 'node:readline';
import type { CliIo } from '../../command.js';

const BRACKETED_PASTE = { on: '\u001b[?2004h', off: '\u001b[?2004l' } as const;

interface Key {
  readonly name?: string;
}

/**
 * Reads lines of a terminal so that a pasted text of several lines is one message: the terminal marks what was pasted
 * (bracketed paste), and the lines between the marks are held until the person presses Enter.
 */
export function onEnteredText(
  input: CliIo['in'],
  output: CliIo['out'],
  lines: Interface,
  entered: (text: string) => void,
): void {
  let pasting = false;
  let held: string[] = [];
  output.write(BRACKETED_PASTE.on);
  input.on('keypress', (_text: string | undefined, key: Key | undefined) => {
    if (key?.name === 'paste-start') pasting = true;
    if (key?.name === 'paste-end') pasting = false;
  });
  lines.on('line', (line) => {
    held.push(line);
    if (pasting) return;
    const text = held.join('\n');
    held = [];
    entered(text);
  });
  lines.on('close', () => {
    output.write(BRACKETED_PASTE.off);
    if (held.length > 0) entered(held.join('\n'));
  });
}
