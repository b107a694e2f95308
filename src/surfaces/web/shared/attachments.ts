import { useEffect, useRef, useState } from 'preact/hooks';
import type { UploadOptions } from './api.js';
import type { AttachedFile, PublicConfig } from './api-types.js';
import { newId } from './clock.js';
import { fileSize } from './format.js';
import { language, SHARED } from './i18n.js';
import { fill } from './message.js';
import { asApiError } from './problem.js';
import { useStore } from './store.js';

/** A file that somebody has chosen for a message. */
export interface Attachment {
  readonly key: string;
  readonly file: File;
  /** How far its upload has got, from 0 to 1. */
  readonly progress: number;
  /** What the server calls it; null until it has it. */
  readonly uploaded: AttachedFile | null;
  /** True where the line broke: the same may be tried again. */
  readonly broken: boolean;
}

/** The files of the message that is being written. */
export interface Attachments {
  readonly list: readonly Attachment[];
  /** Why the last one was left out, in words; null where none was. */
  readonly problem: string | null;
  /** What may be chosen, in words. */
  readonly what: string;
  /** The same for the dialog of the system. */
  readonly accept: string;
  /** True where all that were chosen are on the server. */
  readonly ready: boolean;
  add(files: readonly File[]): void;
  remove(key: string): void;
  retry(key: string): void;
  /** Ids of those that are on the server. */
  readonly ids: readonly string[];
  /** Those were sent. */
  forget(ids: readonly string[]): void;
  /** Gives out what is there, for a message that is sent now. */
  take(): readonly AttachedFile[];
}

interface AttachmentsOptions {
  readonly limits: PublicConfig['files'];
  /** The conversation; with another one nothing of this one is left. */
  readonly place: unknown;
  /** @throws ApiError */
  readonly upload: (file: File, options: UploadOptions) => Promise<AttachedFile>;
}

/** Takes files up as soon as they are chosen, so that nothing is left to wait for when the message is sent. */
export function useAttachments({ limits, place, upload }: AttachmentsOptions): Attachments {
  const { files: texts } = SHARED.use();
  const shown = useStore(language);
  const [list, setList] = useState<readonly Attachment[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  const running = useRef(new Map<string, AbortController>());
  const { types, per_message: count, max_bytes: most } = limits;
  const size = fileSize(most, shown);
  const kinds = types.join(', ');
  useEffect(
    () => () => {
      for (const upload of running.current.values()) upload.abort();
      running.current.clear();
      setList([]);
      setProblem(null);
    },
    [place],
  );

  const change = (key: string, to: Partial<Attachment>): void =>
    setList((before) => before.map((one) => (one.key === key ? { ...one, ...to } : one)));
  const drop = (key: string): void => setList((before) => before.filter((one) => one.key !== key));
  const refuse = (name: string, code: string): void => {
    const known = Object.hasOwn(texts.refused, code) ? (code as keyof typeof texts.refused) : 'other';
    setProblem(fill(texts.refused[known], { name, types: kinds, size }));
  };
  const begin = async (key: string, file: File): Promise<void> => {
    const abort = new AbortController();
    running.current.set(key, abort);
    const onProgress = (progress: number): void => change(key, { progress });
    try {
      const uploaded = await upload(file, { signal: abort.signal, onProgress });
      if (!abort.signal.aborted) change(key, { uploaded, progress: 1 });
    } catch (error) {
      if (abort.signal.aborted) return;
      const { code, passing } = asApiError(error);
      if (passing) return change(key, { broken: true });
      drop(key);
      refuse(file.name, code);
    } finally {
      if (running.current.get(key) === abort) running.current.delete(key);
    }
  };
  /** What the server would refuse is not sent to it. */
  const fault = ({ name, size: bytes }: File): string | null => {
    const ending = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase();
    const said = ending === 'jpeg' ? 'jpg' : ending;
    if (said !== undefined && !types.includes(said)) return 'file_type_refused';
    return bytes === 0 ? 'empty' : bytes > most ? 'file_too_large' : null;
  };

  return {
    list,
    problem,
    what: fill(texts.what, { types: kinds, size, count }),
    accept: types.flatMap((type) => (type === 'jpg' ? ['.jpg', '.jpeg'] : [`.${type}`])).join(','),
    ids: list.flatMap(({ uploaded }) => uploaded?.id ?? []),
    forget: (ids) => setList((before) => before.filter((one) => !ids.includes(one.uploaded?.id ?? ''))),
    ready: list.every(({ uploaded }) => uploaded !== null),
    add(files) {
      setProblem(null);
      const taken: Attachment[] = [];
      for (const file of files) {
        const why = fault(file);
        if (why !== null) refuse(file.name, why);
        else if (list.length + taken.length >= count) {
          setProblem(fill(texts.tooMany, { count, left: file.name }));
        } else taken.push({ key: newId(), file, progress: 0, uploaded: null, broken: false });
      }
      setList((before) => [...before, ...taken]);
      for (const { key, file } of taken) void begin(key, file);
    },
    remove(key) {
      running.current.get(key)?.abort();
      drop(key);
      setProblem(null);
    },
    retry(key) {
      const found = list.find((one) => one.key === key);
      if (found === undefined) return;
      change(key, { broken: false, progress: 0 });
      void begin(key, found.file);
    },
    take() {
      setList([]);
      setProblem(null);
      return list.flatMap(({ uploaded }) => uploaded ?? []);
    },
  };
}

/** The files of something that is pasted; none where there is text as well, as in a table of an office program. */
export function pastedFiles(event: ClipboardEvent): readonly File[] {
  const { clipboardData: data } = event;
  return data === null || data.types.includes('text/plain') ? [] : [...data.files];
}

/** Lets files be dropped on an element. */
export function useDropZone(onFiles: ((files: readonly File[]) => void) | null) {
  const depth = useRef(0);
  const [over, setOver] = useState(false);
  const holdsFiles = ({ dataTransfer }: DragEvent): boolean =>
    onFiles !== null && dataTransfer?.types.includes('Files') === true;
  const move = (by: number): void => {
    depth.current = Math.max(0, depth.current + by);
    setOver(depth.current > 0);
  };
  return {
    over,
    handlers: {
      onDragEnter: (event: DragEvent) => {
        if (holdsFiles(event)) move(1);
      },
      onDragLeave: (event: DragEvent) => {
        if (holdsFiles(event)) move(-1);
      },
      onDragOver: (event: DragEvent) => {
        // Without this the browser would leave the page to show the file.
        if (holdsFiles(event)) event.preventDefault();
      },
      onDrop: (event: DragEvent) => {
        if (!holdsFiles(event)) return;
        event.preventDefault();
        move(-depth.current);
        onFiles?.([...(event.dataTransfer?.files ?? [])]);
      },
    },
  };
}
