import { useEffect, useRef, useState } from 'preact/hooks';
import type { AttachedFile } from '../api-types.js';
import type { Attachment, Attachments } from '../attachments.js';
import { download } from '../download.js';
import { fileSize } from '../format.js';
import { language, SHARED } from '../i18n.js';
import { fill } from '../message.js';
import { useStore } from '../store.js';
import { Button, Icon, IconButton } from './controls.js';
import { Dialog } from './dialog.js';

/** Fetches what a file holds, with the session of the one who looks. */
export type LoadFile = (fileId: string) => Promise<Blob>;

/** True where the text of a message is nothing but the names of its files. */
export function isNamesOnly(content: string, files: readonly AttachedFile[]): boolean {
  return files.length > 0 && content === files.map(({ name }) => name).join(', ');
}

/** What came with a message: raster pictures as such, everything else to be saved. */
export function MessageFiles({
  files,
  load,
}: {
  readonly files: readonly AttachedFile[];
  readonly load: LoadFile;
}) {
  if (files.length === 0) return null;
  return (
    <ul class="files">
      {files.map((file) => (
        <li key={file.id}>
          {file.picture ? <Picture file={file} load={load} /> : <Document file={file} load={load} />}
        </li>
      ))}
    </ul>
  );
}

interface FileProps {
  readonly file: AttachedFile;
  readonly load: LoadFile;
}

function Document({ file: { id, name, size }, load }: FileProps) {
  const { files } = SHARED.use();
  const shown = useStore(language);
  const [state, setState] = useState<'still' | 'busy' | 'failed'>('still');
  const save = async (): Promise<void> => {
    setState('busy');
    try {
      download(name, await load(id));
      setState('still');
    } catch {
      setState('failed');
    }
  };
  return (
    <>
      <button
        type="button"
        class="file"
        aria-label={fill(files.save, { name })}
        aria-busy={state === 'busy'}
        onClick={() => void save()}
      >
        {state === 'busy' ? <span class="spinner" /> : <Icon name="article" />}
        <span class="file__name" dir="auto">
          {name}
        </span>
        <span class="file__size">{fileSize(size, shown)}</span>
      </button>
      {state === 'failed' && (
        <p class="file__problem" role="alert">
          {files.failed}
        </p>
      )}
    </>
  );
}

/** Fetched when it comes into view. Its place is as large before, so that nothing jumps. */
function Picture({ file: { id, name, size }, load }: FileProps) {
  const { files } = SHARED.use();
  const shown = useStore(language);
  const place = useRef<HTMLButtonElement>(null);
  const [blob, setBlob] = useState<Blob | 'failed' | null>(null);
  const [tries, setTries] = useState(0);
  const [isLarge, setLarge] = useState(false);
  const address = useAddress(blob instanceof Blob ? blob : null);
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    let gone = false;
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      load(id).then(
        (found) => gone || setBlob(found),
        () => gone || setBlob('failed'),
      );
    });
    observer.observe(element);
    return () => {
      gone = true;
      observer.disconnect();
    };
  }, [id, tries]);
  const press = (): void => {
    if (blob === 'failed') {
      setBlob(null);
      setTries(tries + 1);
      // Pressed before it is there, it opens once it is.
    } else setLarge(true);
  };
  return (
    <>
      <button
        ref={place}
        type="button"
        class="picture"
        aria-label={blob === 'failed' ? `${files.failed} ${name}` : fill(files.open, { name })}
        title={name}
        onClick={press}
      >
        {blob === 'failed' ? (
          <span class="picture__failed">
            <Icon name="alert" /> {files.failed}
          </span>
        ) : address === null ? (
          <span class="spinner" />
        ) : (
          <img src={address} alt="" onError={() => setBlob('failed')} />
        )}
      </button>
      {isLarge && address !== null && blob instanceof Blob && (
        <Dialog title={name} closeLabel={files.close} onClose={() => setLarge(false)} place="middle">
          <div class="picture-large">
            <img src={address} alt={name} />
            <Button kind="outline" icon="down" onClick={() => download(name, blob)}>
              {fill(files.saveSized, { size: fileSize(size, shown) })}
            </Button>
          </div>
        </Dialog>
      )}
    </>
  );
}

/** The address of a picture in the memory of the page, as long as it is shown. */
function useAddress(blob: Blob | null): string | null {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    if (blob === null) return;
    const made = URL.createObjectURL(blob);
    setAddress(made);
    return () => {
      URL.revokeObjectURL(made);
      setAddress(null);
    };
  }, [blob]);
  return address;
}

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
