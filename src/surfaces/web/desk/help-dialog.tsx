import { Dialog } from '../shared/components/dialog.js';
import { useWords } from './texts.js';

/** Every key and what it does. */
export function HelpDialog({ onClose }: { readonly onClose: () => void }) {
  const words = useWords();
  return (
    <Dialog title={words.help.title} closeLabel={words.app.close} onClose={onClose}>
      <dl class="keys">
        {words.help.keys.map(([keys = '', text = '']) => (
          <div key={keys}>
            <dt>
              {keys.split(/ {2}/).map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <p class="soft">{words.help.hint}</p>
    </Dialog>
  );
}
