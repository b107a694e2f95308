import type { TurnEvent } from '../../../core/domain/turn.js';
import type { Terminal } from '../../command.js';
import { oneLine, printable } from '../../printable.js';

/** Shows one turn while it runs: which agents work, on one line, then the answer as it comes. */
export class TurnView {
  private agents = 0;
  private streamed = '';
  private readonly dim: (text: string) => string;

  constructor(private readonly out: Terminal) {
    const colours = out.hasColors?.() === true;
    this.dim = (text) => (colours ? `\u001b[2m${text}\u001b[22m` : text);
  }

  /** Takes one event of the turn; never throws. */
  show(event: TurnEvent): void {
    if (event.type === 'agent' && this.streamed === '') {
      this.out.write(this.dim(`${this.agents === 0 ? '  ' : ' > '}${oneLine(event.agent)}`));
      this.agents += 1;
    }
    if (event.type === 'token') {
      if (this.streamed === '') this.close();
      this.streamed += event.text;
      this.out.write(printable(event.text));
    }
  }

  /** Ends the turn: an answer that was not streamed, or not to its end, is shown now. */
  finish(reply: string): void {
    if (this.streamed === '') this.close();
    const shown = reply.startsWith(this.streamed) ? reply.slice(this.streamed.length) : `\n${reply}`;
    this.out.write(`${printable(this.streamed.trim() === reply.trim() ? '' : shown)}\n`);
  }

  /** Ends the line of the agents, where there is one. */
  close(): void {
    if (this.agents > 0) this.out.write('\n');
    this.agents = 0;
  }
}
