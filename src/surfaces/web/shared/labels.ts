import { useCallback } from 'preact/hooks';
import { COMPANY, type Translated } from './company.js';
import { language } from './i18n.js';
import { useStore } from './store.js';

/** What a thing is called in the language of the page; its own name in plain words where nobody has named it. */
export type Label = (name: string) => string;

function useLabels(labelled: (name: string) => Translated | undefined): Label {
  const shown = useStore(language);
  return useCallback((name) => labelled(name)?.[shown] ?? name.replaceAll('_', ' '), [labelled, shown]);
}

const own = <T>(things: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(things, name) ? things[name] : undefined;

/** Names of tools: "Cancel an order". */
const tool = (name: string) => own(COMPANY.tools, name)?.label;
export const useToolLabel = (): Label => useLabels(tool);

/** Names of arguments of tools. */
const argument = (name: string) => own(COMPANY.arguments, name);
export const useArgumentLabel = (): Label => useLabels(argument);

/** What the records of an entity are called. */
const entity = (name: string) => own(COMPANY.entities, name);
export const useEntityLabel = (): Label => useLabels(entity);

/** Names of what tickets are about. */
const issue = (name: string) => own(COMPANY.issue_types, name);
export const useIssueLabel = (): Label => useLabels(issue);

/** Names of the desk's teams. */
const team = (name: string) => own(COMPANY.teams, name);
export const useTeamLabel = (): Label => useLabels(team);

/** Titles of skills; as their authors wrote them where they have none in the language of the page. */
export function useSkillLabel(): Label {
  const shown = useStore(language);
  return (id) => {
    const skill = own(COMPANY.skills, id);
    return skill?.titles[shown] ?? skill?.title ?? id.replaceAll('_', ' ');
  };
}

/** What the hub is doing while a tool runs, or undefined where that has no words. */
export function useToolActivity(): (tool: string) => string | undefined {
  const shown = useStore(language);
  return (tool) => own(COMPANY.tools, tool)?.activity[shown];
}
