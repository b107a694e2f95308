import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Nearer than this to the end counts as reading the newest. */
const NEAR_PX = 80;

export interface StickyScroll {
  readonly ref: RefObject<HTMLDivElement>;
  readonly onScroll: () => void;
  /** True where somebody reads further up. */
  readonly away: boolean;
  readonly toEnd: () => void;
}

/** Keeps the end in view while things are added, unless somebody has gone up to read. */
export function useStickyScroll(content: unknown, enabled: boolean): StickyScroll {
  const ref = useRef<HTMLDivElement>(null);
  const sticks = useRef(true);
  const [away, setAway] = useState(false);
  useLayoutEffect(() => {
    const box = ref.current;
    if (box && enabled && sticks.current) box.scrollTop = box.scrollHeight;
  }, [content, enabled]);
  useLayoutEffect(() => {
    const box = ref.current;
    if (!box) return;
    const observer = new ResizeObserver(() => {
      if (enabled && sticks.current) box.scrollTop = box.scrollHeight;
    });
    observer.observe(box);
    return () => observer.disconnect();
  }, [enabled]);
  return {
    ref,
    away,
    onScroll() {
      const box = ref.current;
      if (!box) return;
      if (!enabled) return;
      sticks.current = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_PX;
      setAway(!sticks.current);
    },
    toEnd() {
      sticks.current = true;
      setAway(false);
      const box = ref.current;
      if (box) box.scrollTop = box.scrollHeight;
    },
  };
}
