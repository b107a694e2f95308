import { type Language, language } from './i18n.js';
import { useStore } from './store.js';

/** Names of one tool, as its definition on the server gives them. */
export interface ToolNames {
  /** What it is called: "Cancel a reservation". */
  readonly label: Readonly<Record<Language, string>>;
  /** What the hub is doing while it runs: "Working on the cancellation". */
  readonly activity: Readonly<Record<Language, string>>;
}

/** What the server has written into the head of the page; empty where it has not (a page that Vite serves itself). */
function written(name: string): string {
  const content = document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '';
  return content.startsWith('%') ? '' : content;
}

/** The company's name, as customers know it. */
export const COMPANY = written('hub-company');

/** The tools of the hub, by name. */
const TOOL_NAMES = JSON.parse(written('hub-tools') || '{}') as Readonly<Record<string, ToolNames>>;

/** What a tool is called in the language of the page; its own name in plain words where nobody has named it. */
export function useToolLabel(): (tool: string) => string {
  const shown = useStore(language);
  return (tool) => names(tool)?.label[shown] ?? tool.replaceAll('_', ' ');
}

/** What the hub is doing while a tool runs, or undefined where that has no words. */
export function useToolActivity(): (tool: string) => string | undefined {
  const shown = useStore(language);
  return (tool) => names(tool)?.activity[shown];
}

function names(tool: string): ToolNames | undefined {
  return Object.hasOwn(TOOL_NAMES, tool) ? TOOL_NAMES[tool] : undefined;
}
