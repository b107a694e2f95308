import type { JsonObject } from '../domain/json.js';
import type { RemoteCard, RemoteSkill } from './remote-agents.js';

/** What a model is told of a request to another agent: nothing but what that agent may be told as well. */
export interface RemoteMatter {
  /** The request, without what the other agent does not need. */
  readonly goal: string;
  /** For the record of the model's call. */
  readonly ticketId: string;
  readonly signal: AbortSignal;
}

/** One skill with its input, as a model read them from the request. */
export interface FilledSkill {
  readonly skill: string;
  readonly input: JsonObject;
}

/** An agent elsewhere as a model is shown it. */
export interface RemoteOffer {
  readonly agent: string;
  /** What the hub's own settings say of it; empty where nothing. */
  readonly description: string;
  readonly card: RemoteCard;
}

/** Which agent elsewhere a model takes to be meant. */
export interface RemoteChoice {
  /** One of those that were offered; null where none of them answers the request. */
  readonly agent: string | null;
  /** One sentence for the log. */
  readonly reason: string;
}

/** What a model thinks of a request whose structured call failed. */
export interface SecondLook {
  /** False: the other agent cannot do it anyway, so it is not asked again. */
  readonly fits: boolean;
  /** The request in new words; of use only where it fits. */
  readonly words: string;
  /** One sentence for the log. */
  readonly reason: string;
}

/**
 * Helps where rules cannot tell how to put a request to another agent. What it gives is checked by whoever asked. Nothing
 * here throws but for an aborted signal: null means that no model could be asked, so that the rules decide.
 */
export interface RemoteReasoner {
  /** Which of the agents answers the request. */
  choose(matter: RemoteMatter, offers: readonly RemoteOffer[]): Promise<RemoteChoice | null>;
  /** Which skill fits, and its input; `skill` is empty where none does. */
  fill(matter: RemoteMatter, skills: readonly RemoteSkill[]): Promise<FilledSkill | null>;
  /** Looks at the request again. @param failed the skill that was called @param code how that went wrong */
  lookAgain(matter: RemoteMatter, failed: RemoteSkill, code: string): Promise<SecondLook | null>;
}
