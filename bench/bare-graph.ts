import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import type { ChatResult } from '@langchain/core/outputs';
import { tool } from '@langchain/core/tools';
import { Annotation, END, MemorySaver, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { createSupervisor } from '@langchain/langgraph-supervisor';
import { createAgent } from 'langchain';
import { z } from 'zod';

/** A model that answers at once. */
class InstantModel extends BaseChatModel {
  #calls = 0;

  constructor(private readonly next: string | null) {
    super({});
  }

  override _llmType(): string {
    return 'instant';
  }

  override bindTools(): this {
    return this;
  }

  override async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    const last = messages.at(-1);
    const done = ToolMessage.isInstance(last) || (AIMessage.isInstance(last) && last.text !== '');
    this.#calls += 1;
    const call = {
      name: this.next ?? 'look',
      args: {},
      id: `${this.next}_${this.#calls}`,
      type: 'tool_call' as const,
    };
    const message = done ? new AIMessage('answer') : new AIMessage({ content: '', tool_calls: [call] });
    return { generations: [{ text: message.text, message }] };
  }
}

const State = Annotation.Root({ ...MessagesAnnotation.spec, next: Annotation<string> });

/**
 * A graph of the hub's shape in which nothing happens: intake, triage agent, router, supervisor with one agent, router,
 * review, respond. What the library itself takes for a turn.
 */
export function bareGraph(): (turn: number) => Promise<void> {
  const look = tool(() => 'seen', { name: 'look', description: 'Looks.', schema: z.object({}) });
  const agent = (name: string) => createAgent({ name, model: new InstantModel('look'), tools: [look] }).graph;
  const triage = agent('triage');
  const supervisor = createSupervisor({
    agents: [agent('worker')],
    llm: new InstantModel('transfer_to_worker'),
    addHandoffMessages: false,
  }).compile({ name: 'supervisor' });
  const nothing = () => ({});
  const graph = new StateGraph(State)
    .addNode('intake', nothing)
    .addNode(
      'triage',
      async ({ messages }, config) => {
        await triage.invoke({ messages: messages.slice(-1) }, config);
        return {};
      },
      { subgraphs: [triage] },
    )
    .addNode('router', ({ messages }) => ({
      next: HumanMessage.isInstance(messages.at(-1)) ? 'supervisor' : 'review',
    }))
    .addNode('supervisor', supervisor)
    .addNode('review', nothing)
    .addNode('respond', nothing)
    .addEdge(START, 'intake')
    .addEdge('intake', 'triage')
    .addEdge('triage', 'router')
    .addConditionalEdges('router', ({ next }) => next, ['supervisor', 'review'])
    .addEdge('supervisor', 'router')
    .addEdge('review', 'respond')
    .addEdge('respond', END)
    .compile({ checkpointer: new MemorySaver() });
  return async (turn) => {
    await graph.invoke(
      { messages: [new HumanMessage('hello')] },
      { configurable: { thread_id: `bare_${turn}` } },
    );
  };
}
