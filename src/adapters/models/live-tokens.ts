import type { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager';
import type { ChatGenerationChunk } from '@langchain/core/outputs';

/** Hands the pieces of an answer to the run's callbacks while it is written, and tells when it began anew. */
export class LiveTokens {
  readonly #runManager: CallbackManagerForLLMRun;
  #attempt = 0;
  #id: string | undefined;
  #named = false;
  #shown = false;
  #stale = false;
  #restarted = false;

  constructor(runManager: CallbackManagerForLLMRun) {
    this.#runManager = runManager;
  }

  /** True where text was shown that is not part of the answer. */
  get restarted(): boolean {
    return this.#restarted;
  }

  /** To be called before each attempt. */
  begin(): void {
    this.#attempt += 1;
    // The first one is left to LangChain, which names it after the run.
    this.#id = this.#attempt > 1 ? `run-${this.#runManager.runId}-${this.#attempt}` : undefined;
    this.#named = false;
    this.#stale = this.#shown;
    this.#restarted = this.#shown;
  }

  /** The first piece after text was shown in vain carries `hub_restarted`, so that a surface can clear what it showed. */
  readonly emit = async (chunk: ChatGenerationChunk): Promise<void> => {
    const { message } = chunk;
    // Pieces of one answer share an id, also those that come without; pieces of another attempt have another.
    if (message.id == null) message._updateId(this.#id);
    else if (!this.#named) this.#id = message.id;
    this.#named = true;
    if (this.#stale) message.response_metadata = { ...message.response_metadata, hub_restarted: true };
    this.#stale = false;
    if (chunk.text !== '') this.#shown = true;
    await this.#runManager.handleLLMNewToken(
      chunk.text,
      { prompt: 0, completion: 0 },
      undefined,
      undefined,
      undefined,
      { chunk },
    );
  };
}
