import { useRef } from 'preact/hooks';
import type { Attachment, Attachments } from '../attachments.js';
import { fileSize } from '../format.js';
import { language, SHARED } from '../i18n.js';
import { fill } from '../message.js';
import { useStore } from '../store.js';
import { Button, IconButton } from './button.js';
import { Icon } from './icon.js';
import { useAddress } from './message-files.js';

/** The paper clip: opens the dialog of the system. */
export function AttachButton({
  attachments,
  disabled = false,
}: {
  readonly attachments: Attachments;
  readonly disabled?: boolean;
}) {
  const { files } = SHARED.use();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={attachments.accept}
        onChange={({ currentTarget }) => {
          attachments.add([...(currentTarget.files ?? [])]);
          // The same file may be chosen again.
          currentTarget.value = '';
        }}
      />
      <IconButton
        icon="clip"
        label={files.add}
        title={`${files.add}: ${attachments.what}`}
        disabled={disabled}
        onClick={() => input.current?.click()}
      />
    </>
  );
}

/** What was chosen for the message, and why something was not taken. */
export function AttachmentList({ attachments }: { readonly attachments: Attachments }) {
  const { list, problem } = attachments;
  return (
    <>
      {problem !== null && (
        <p class="attachments__problem" role="alert">
          <Icon name="alert" /> <span>{problem}</span>
        </p>
      )}
      {list.length > 0 && (
        <ul class="attachments">
          {list.map((one) => (
            <Chosen key={one.key} attachment={one} attachments={attachments} />
          ))}
        </ul>
      )}
    </>
  );
}

/** Kinds of which a page may show a picture; the server looks at the bytes. */
const DRAWN = /^image\/(?:png|jpeg|gif|webp)$/;

function Chosen({
  attachment: { key, file, progress, uploaded, broken },
  attachments,
}: {
  readonly attachment: Attachment;
  readonly attachments: Attachments;
}) {
  const { files } = SHARED.use();
  const shown = useStore(language);
  const address = useAddress(DRAWN.test(file.type) ? file : null);
  const { name } = file;
  return (
    <li class="attachment">
      {address === null ? <Icon name="article" /> : <img src={address} alt="" />}
      <span class="attachment__words">
        <span class="attachment__name" dir="auto" title={name}>
          {name}
        </span>
        {broken ? (
          <Button kind="quiet" icon="refresh" onClick={() => attachments.retry(key)}>
            {files.again}
          </Button>
        ) : uploaded === null ? (
          <progress value={progress} max={1} aria-label={fill(files.uploading, { name })} />
        ) : (
          <span class="attachment__size">{fileSize(file.size, shown)}</span>
        )}
      </span>
      <IconButton icon="close" label={fill(files.remove, { name })} onClick={() => attachments.remove(key)} />
    </li>
  );
}

/** Says, over what is below it, that files may be let go here. */
export function DropHint({ over }: { readonly over: boolean }) {
  const { files } = SHARED.use();
  if (!over) return null;
  return (
    <div class="drop-hint" aria-hidden="true">
      <Icon name="clip" /> {files.drop}
    </div>
  );
}
