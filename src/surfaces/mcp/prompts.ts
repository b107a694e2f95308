import {
  type GetPromptRequest,
  type GetPromptResult,
  type ListPromptsRequest,
  type ListPromptsResult,
  type Prompt,
  type PromptMessage,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { ESCALATION_ROUTE, LANGUAGES } from '../../core/domain/taxonomy.js';
import type { HubRequest } from './hub-requests.js';
import { demandFirstPage } from './pages.js';
import { answerText, triageText } from './prompt-texts.js';
import { resourceUri } from './resource-uris.js';
import { readResource } from './resources.js';

const TEXT_CHARS = 20_000;

export const PROMPTS: readonly Prompt[] = [
  {
    name: 'triage_ticket',
    title: 'Triage a ticket',
    description: 'Classifies a ticket and says who should take it and what to find out first.',
    arguments: [
      { name: 'text', description: "The customer's message. Either this or ticket_id." },
      { name: 'ticket_id', description: 'A ticket of this hub. Either this or text.' },
    ],
  },
  {
    name: 'answer_customer',
    title: 'Answer a customer',
    description: 'Writes a reply from the help centre and the record, with its sources.',
    arguments: [
      { name: 'ticket_id', description: 'A ticket of this hub. Either this or question.' },
      { name: 'question', description: "The customer's question. Either this or ticket_id." },
      {
        name: 'language',
        description: `Language of the reply: ${LANGUAGES.join(' or ')}; the customer's own where absent.`,
      },
    ],
  },
];

export function listPrompts({ params }: ListPromptsRequest): ListPromptsResult {
  demandFirstPage(params?.cursor);
  return { prompts: [...PROMPTS] };
}

/** @throws ProtocolError invalid params: no such prompt, missing or contradicting arguments, no such ticket */
export async function getPrompt({ params }: GetPromptRequest, hub: HubRequest): Promise<GetPromptResult> {
  const { name, arguments: given = {} } = params;
  const prompt = PROMPTS.find((one) => one.name === name);
  if (!prompt) throw invalid(`Unknown prompt: ${name}`);
  const known = prompt.arguments?.map((argument) => argument.name) ?? [];
  const unknown = Object.keys(given).find((argument) => !known.includes(argument));
  if (unknown !== undefined)
    throw invalid(`${name} has no argument "${unknown}"; it takes ${known.join(', ')}.`);
  const { company } = hub.app;
  const isTriage = name === 'triage_ticket';
  const about = await subject(isTriage ? 'text' : 'question', given, hub);
  const instructions = isTriage
    ? triageText(company, routesOf(hub))
    : `${answerText(company)}\n${languageRule(given.language)}`;
  const messages: PromptMessage[] = [{ role: 'user', content: { type: 'text', text: instructions } }, about];
  return { ...(prompt.description === undefined ? {} : { description: prompt.description }), messages };
}

/** Where triage can send a ticket. */
function routesOf({ app }: HubRequest): readonly string[] {
  const agents = app.capabilities.agents().filter(({ converses }) => converses);
  return [...new Set(agents.flatMap(({ route }) => route ?? [])), ESCALATION_ROUTE];
}

/** The ticket or the words that the prompt is about, marked as data. */
async function subject(
  textName: 'text' | 'question',
  given: Readonly<Record<string, string>>,
  hub: HubRequest,
): Promise<PromptMessage> {
  const words = given[textName]?.trim() ?? '';
  const ticketId = given.ticket_id?.trim() ?? '';
  if ((words === '') === (ticketId === '')) throw invalid(`Give either ${textName} or ticket_id.`);
  if (words.length > TEXT_CHARS) throw invalid(`${textName} has at most ${TEXT_CHARS} characters.`);
  if (words !== '') {
    const text = `What the customer wrote, as JSON:\n${JSON.stringify({ message: words })}`;
    return { role: 'user', content: { type: 'text', text } };
  }
  const uri = resourceUri({ kind: 'ticket', id: ticketId });
  const { contents } = await readResource({ method: 'resources/read', params: { uri } }, hub);
  const [resource] = contents;
  if (!resource) throw invalid(`There is no ticket "${ticketId}".`);
  return { role: 'user', content: { type: 'resource', resource } };
}

function languageRule(language: string | undefined): string {
  if (language === undefined || language.trim() === '') return 'Write in the language of the customer.';
  const known = LANGUAGES.find((one) => one === language.trim());
  if (known === undefined) throw invalid(`language must be one of: ${LANGUAGES.join(', ')}.`);
  return `Write in ${known === 'pt-BR' ? 'Brazilian Portuguese' : 'English'}.`;
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
