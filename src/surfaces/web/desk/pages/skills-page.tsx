import { useState } from 'preact/hooks';
import type { Skill } from '../../shared/api-types.js';
import { Badge } from '../../shared/components/controls.js';
import { Markdown } from '../../shared/components/markdown.js';
import { language } from '../../shared/i18n.js';
import { useSkillLabel } from '../../shared/labels.js';
import { fill } from '../../shared/message.js';
import { useStore } from '../../shared/store.js';
import { useDesk } from '../lib/desk-context.js';
import { onNothing, useData } from '../lib/use-data.js';
import { term } from '../lib/values.js';
import { Empty, SearchBox, Show } from '../parts/states.js';
import { useTexts } from '../texts.js';

/** What the hub can investigate and write, each skill with its own knowledge base. */
export function SkillsPage() {
  const texts = useTexts();
  const { api } = useDesk();
  const [text, setText] = useState('');
  const loaded = useData('skills', api.skills, onNothing);
  return (
    <div class="page">
      <header class="page__head">
        <h1>{texts.skills.title}</h1>
        <p class="page__lead">{texts.skills.lead}</p>
        <SearchBox label={texts.skills.search} value={text} onInput={setText} />
      </header>
      <Show loaded={loaded}>
        {(answer) => {
          const all = 'skills' in answer ? answer.skills : answer;
          const found = all.filter((skill) => matches(skill, text));
          if (found.length === 0) return <Empty text={texts.skills.empty} />;
          return (
            <div class="page__grid">
              {found.map((skill) => (
                <SkillCard key={skill.id} skill={skill} />
              ))}
            </div>
          );
        }}
      </Show>
    </div>
  );
}

function matches({ id, title, description, tags }: Skill, text: string): boolean {
  const wanted = text.trim().toLowerCase();
  return [id, title, description, ...(tags ?? [])].some((part) => part.toLowerCase().includes(wanted));
}

/** How often it was used and how well it did; marked where it is below what its pack promises. */
function Figures({ figures }: { readonly figures: NonNullable<Skill['figures']> }) {
  const texts = useTexts();
  const { uses, accuracy, false_positives: count, satisfaction, below } = figures;
  return (
    <p class="skill__facts">
      <Badge>{fill(texts.skills.uses, { uses })}</Badge>
      {accuracy !== null && <Badge>{fill(texts.skills.accuracy, { accuracy })}</Badge>}
      {count > 0 && <Badge>{fill(texts.skills.notTaken, { count })}</Badge>}
      {satisfaction !== null && <Badge>{fill(texts.skills.helpful, { helpful: satisfaction })}</Badge>}
      {below.length > 0 && <Badge tone="bad">{texts.skills.below}</Badge>}
    </p>
  );
}

function SkillCard({ skill }: { readonly skill: Skill }) {
  const texts = useTexts();
  const { config } = useDesk();
  const skillLabel = useSkillLabel();
  const shown = useStore(language);
  const knowledge = skill.knowledge ?? [];
  return (
    <article class="card skill">
      <h2>{skillLabel(skill.id)}</h2>
      <p class="skill__facts">
        {skill.version !== undefined && (
          <Badge>{fill(texts.skills.version, { version: skill.version })}</Badge>
        )}
        {skill.type !== undefined && <Badge tone="info">{term(texts.skills.types, skill.type)}</Badge>}
      </p>
      <p>{skill.descriptions[shown] ?? skill.description}</p>
      {skill.figures !== null && <Figures figures={skill.figures} />}
      {knowledge.length === 0 ? (
        <p class="soft">{texts.skills.noKnowledge}</p>
      ) : (
        <details>
          <summary>{texts.skills.knowledge}</summary>
          {knowledge.map(({ id, title, content }) => (
            <Markdown key={id} text={content ?? title} linkHosts={config.link_hosts} topLevel={3} />
          ))}
        </details>
      )}
    </article>
  );
}
