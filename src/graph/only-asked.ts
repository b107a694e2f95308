import { plausibleArticle } from './article-meant.js';
import type { HeardMessage } from './heard-message.js';
import { type InConversation, NOTHING } from './in-conversation.js';

/** From here on an article is believed to explain what is to be explained. */
const EXPLAINED = 0.3;
/** And what is asked beside saying that nothing was requested, where no article was quoted before. */
const ASKED = 0.5;
/** From here on it is what the customer's own record tells. */
const OWN = 0.6;

/**
 * What a message asks that says of what came before that it was no request: "that was only a question. Within how many days?" It is
 * answered from the article that was quoted, or the one it is about, and passed on to nobody.
 */
export async function onlyAsked(heard: HeardMessage): Promise<InConversation | null> {
  const { deps, graph, session, state, written } = heard;
  if (session.lastReply === null || graph.focus !== null) return null;
  const asked = deps.dialogue.besideOnlyAsked(written);
  if (asked === null || asked === '' || deps.language.dangerIn(written) !== null) return null;
  if (deps.dialogue.readOwnAsked(asked).questions.length > 0 && session.identity.kind === 'customer')
    return null;
  const about = state.article?.title ?? (await plausibleArticle(deps, session, asked, ASKED));
  return about === null ? null : { ...NOTHING, about, asked, only: true, isTold: true };
}

/**
 * What is to be explained while something waits: "in the meantime, please set out the procedure". It is asked of the help centre, and adds
 * nothing to what waits; what only the record tells is left to it.
 */
export async function explanationAsked(heard: HeardMessage): Promise<InConversation | null> {
  const { deps, graph, session, written } = heard;
  if (session.lastReply === null || graph.focus !== null || deps.language.dangerIn(written) !== null)
    return null;
  const asked = deps.dialogue.explanationIn(written);
  if (asked === null) return null;
  const own = deps.dialogue.readOwnAsked(asked).questions.filter(({ person }) => !person);
  const isOwn = own.length > 0 || (deps.dialogue.readQuestion(asked)?.own ?? 0) >= OWN;
  if (isOwn && session.identity.kind === 'customer') return null;
  const about = await plausibleArticle(deps, session, asked, EXPLAINED);
  return about === null ? null : { ...NOTHING, about, asked, only: true, isTold: true };
}
