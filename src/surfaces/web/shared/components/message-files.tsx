import { useEffect, useRef, useState } from 'preact/hooks';
import type { AttachedFile } from '../api-types.js';
import { download } from '../download.js';
import { fileSize } from '../format.js';
import { language, SHARED } from '../i18n.js';
import { fill } from '../message.js';
import { useStore } from '../store.js';
import { Button } from './button.js';
import { Dialog } from './dialog.js';
import { Icon } from './icon.js';

/** Fetches what a file holds, with the session of whoever looks. */
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
    } else if (blob !== null) setLarge(true);
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
export function useAddress(blob: Blob | null): string | null {
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
