import '../shared/styles/base.css';
import './styles/chat.css';
import { render } from 'preact';
import { useState } from 'preact/hooks';
import { tint } from '../shared/brand.js';
import { COMPANY } from '../shared/company.js';
import { Button } from '../shared/components/controls.js';
import { Dialog, Toasts } from '../shared/components/dialog.js';
import { showTexts } from '../shared/i18n.js';
import { createStore, useStore } from '../shared/store.js';
import { ChatHeader, Expected, ThreadList, useArrivals } from './chat-header.js';
import { type ChatModel, createChatModel } from './chat-model.js';
import { ConversationView } from './conversation-view.js';
import { Elsewhere } from './elsewhere.js';
import { connectEmbed, type Embed } from './embed-bridge.js';
import { createPush, openAnswered, type Push } from './push.js';
import { SignIn, SignInFrame } from './sign-in.js';
import { useTexts } from './texts.js';

const NEVER = createStore(false);

const root = document.getElementById('app');
if (root) {
  await showTexts();
  tint(COMPANY.brand.color);
  const model = createChatModel();
  const embed = connectEmbed(model);
  openAnswered(model);
  render(<ChatApp model={model} push={createPush(model)} embed={embed} />, root);
}

/** The whole page: sign-in, or the list beside the conversation. */
function ChatApp({
  model,
  push,
  embed,
}: {
  readonly model: ChatModel;
  readonly push: Push;
  readonly embed: Embed | null;
}) {
  const texts = useTexts();
  const session = useStore(model.session.state);
  const config = useStore(model.config);
  const conversation = useStore(model.conversation);
  const who = useStore(model.who);
  const visiting = useStore(model.visiting);
  const signingIn = useStore(model.signingIn);
  const expectsToken = useStore(embed?.expectsToken ?? NEVER);
  const [listShown, showList] = useState(false);
  useArrivals(model, push, embed !== null);

  if (config === 'failed') {
    return (
      <SignInFrame model={model} embed={embed}>
        <p role="alert">{texts.errors.network}</p>
        <Button kind="primary" icon="refresh" onClick={model.loadConfig}>
          {texts.tryAgain}
        </Button>
      </SignInFrame>
    );
  }
  const waits = config === null || (session === 'open' && conversation === null);
  if (waits || expectsToken) return <Connecting label={texts.signIn.waiting} />;
  if (conversation === null) {
    return (
      <SignInFrame model={model} embed={embed}>
        <SignIn model={model} config={config} expired={session === 'expired'} />
      </SignInFrame>
    );
  }
  const list = <ThreadList model={model} onOpened={() => showList(false)} />;
  return (
    <div class="chat">
      <button type="button" class="skip-link" onClick={focusComposer}>
        {texts.skip}
      </button>
      <ChatHeader model={model} embed={embed} onShowList={() => showList(true)} />
      <nav class="chat__list" aria-label={texts.conversations}>
        {list}
      </nav>
      <main class="chat__main">
        <Elsewhere model={model} conversation={conversation} />
        <ConversationView
          key={conversation}
          conversation={conversation}
          api={model.api}
          config={config}
          name={who?.name ?? ''}
          onSignIn={visiting && COMPANY.accounts ? () => model.signingIn.set(true) : null}
        >
          <Expected model={model} />
        </ConversationView>
      </main>
      {listShown && (
        <Dialog
          title={texts.conversations}
          closeLabel={texts.close}
          place="left"
          onClose={() => showList(false)}
        >
          {list}
        </Dialog>
      )}
      {visiting && signingIn && (
        <Dialog
          title={texts.signIn.signIn}
          closeLabel={texts.close}
          onClose={() => model.signingIn.set(false)}
        >
          <SignIn model={model} config={config} expired={false} inDialog />
        </Dialog>
      )}
      {session !== 'open' && !visiting && (
        <Dialog title={texts.signIn.expiredTitle} closeLabel={texts.signOut} onClose={model.signOut}>
          <SignIn model={model} config={config} expired inDialog />
        </Dialog>
      )}
      <Toasts closeLabel={texts.close} />
    </div>
  );
}

function focusComposer(): void {
  document.getElementById('composer')?.focus();
}

function Connecting({ label }: { readonly label: string }) {
  return (
    <main class="connecting">
      <p role="status">
        <span class="spinner" /> {label}
      </p>
    </main>
  );
}
