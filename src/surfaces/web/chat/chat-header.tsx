import { COMPANY } from '../shared/company.js';
import { AppearanceMenu } from '../shared/components/appearance.js';
import { Button, IconButton } from '../shared/components/button.js';
import { Logo } from '../shared/components/icon.js';
import { fill } from '../shared/message.js';
import { useStore } from '../shared/store.js';
import type { ChatModel } from './chat-model.js';
import type { Embed } from './embed-bridge.js';
import { useTexts } from './texts.js';

/** The name of the house, and what is not about one message. */
export function ChatHeader({
  model,
  embed,
  onShowList,
}: {
  readonly model: ChatModel;
  readonly embed: Embed | null;
  readonly onShowList: () => void;
}) {
  const texts = useTexts();
  const who = useStore(model.who);
  return (
    <header class="chat__header">
      <span class="chat__list-button">
        <IconButton icon="list" label={texts.conversations} aria-haspopup="dialog" onClick={onShowList} />
      </span>
      <Logo />
      <h1 class="brand">
        {COMPANY.name} <span class="brand__part">{texts.title}</span>
      </h1>
      <span class="chat__new-button">
        <IconButton icon="edit" label={texts.newConversation} onClick={() => startNew(model)} />
      </span>
      <AppearanceMenu>
        <hr class="menu__line" />
        {who && <p class="menu__who">{fill(texts.signedInAs, { name: who.name })}</p>}
        <Button kind="outline" icon="leave" wide onClick={model.signOut}>
          {texts.signOut}
        </Button>
      </AppearanceMenu>
      {embed && <IconButton icon="close" label={texts.closeChat} onClick={embed.close} />}
    </header>
  );
}

/** An empty conversation, ready to be written in. */
export function startNew(model: ChatModel): void {
  if (model.conversation.get()?.state.get().threadId !== null) model.openThread(null);
  requestAnimationFrame(() => document.getElementById('composer')?.focus());
}
