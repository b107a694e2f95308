import type { SkillModel, SkillModelCall } from '../../src/core/ports/chat-models.js';

/** One answer of the script: a text, an object that is sent as JSON, an error that is thrown, or made from the call. */
export type ScriptedAnswer =
  | string
  | Error
  | Readonly<Record<string, unknown>>
  | ((call: SkillModelCall) => Promise<string> | string);

/** A model for skills that answers from a script. A call that the script does not have fails the test. */
interface ScriptedSkillModel extends SkillModel {
  readonly calls: readonly SkillModelCall[];
  /** @throws where answers are left, or a call was refused */
  finish(): void;
}

/** @param tier the size the model says it has */
export function createScriptedSkillModel(
  answers: readonly ScriptedAnswer[] = [],
  tier: 'small' | 'large' = 'large',
): ScriptedSkillModel {
  const left = [...answers];
  const calls: SkillModelCall[] = [];
  let refused = 0;
  return {
    provider: 'openai',
    calls,
    tier: () => tier,
    async complete(call) {
      calls.push(call);
      const next = left.shift();
      if (next === undefined) {
        refused += 1;
        throw new Error(`The script has no answer to: ${call.prompt}`);
      }
      if (next instanceof Error) throw next;
      const text = typeof next === 'function' ? await next(call) : next;
      return {
        text: typeof text === 'string' ? text : JSON.stringify(text),
        model: 'scripted',
        promptTokens: 10,
        completionTokens: 5,
        costUsd: 0.001,
      };
    },
    finish() {
      if (refused > 0) throw new Error(`The model was asked ${refused} more times than the script says.`);
      if (left.length > 0) throw new Error(`${left.length} scripted answers were not asked for.`);
    },
  };
}

/** What skills get where there is neither key nor network. */
export function createOfflineSkillModel(): SkillModel {
  return {
    provider: 'offline',
    tier: () => 'small',
    complete: () => Promise.reject(new Error('There is no model offline, and nobody should ask it.')),
  };
}
