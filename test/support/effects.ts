import type { CompanyBackend } from '../../src/company/company-code.js';
import type { ActionTool, AnyTool } from '../../src/runtime/define-tool.js';
import { toolsOf } from '../../src/runtime/roster.js';

type Perform = ActionTool['perform'];

/**
 * The same company, whose effects a test holds up, fails or kills the process at.
 * @param wrap given how an action is carried out, says how it is from now on
 */
export function wrapEffects(
  backend: CompanyBackend,
  wrap: (perform: Perform, tool: string) => Perform,
): CompanyBackend {
  const wrapped = (tool: AnyTool): AnyTool =>
    tool.effect === 'irreversible'
      ? { ...tool, perform: wrap((...given) => tool.perform(...given), tool.name) }
      : tool;
  const tools = Object.entries(backend.tools).map(
    ([agent, all]) => [agent, toolsOf(all).map(wrapped)] as const,
  );
  return { ...backend, tools: Object.fromEntries(tools) };
}
