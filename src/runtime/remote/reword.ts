import type { RemoteSkill } from '../../core/ports/remote-agents.js';

/** The request in other words, for an agent whose skill could not be called: self-contained, and nothing new in it. */
export function rewordForMessage(goal: string, failed: Pick<RemoteSkill, 'name' | 'id'>): string {
  return [
    `A customer asks: "${goal.trim()}"`,
    `A structured call of your skill "${failed.name || failed.id}" gave no answer, so this comes as a message.`,
    'Please answer it directly, in the language of the question. If you cannot, say so.',
  ].join('\n');
}

/** The request together with the reply to a question, for an agent that has forgotten what it had asked. */
export function startAgain(goal: string, reply: string): string {
  return [
    `A customer asks: "${goal.trim()}"`,
    `To a question of yours about it the customer has answered: "${reply.trim()}"`,
  ].join('\n');
}
