import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Button } from '../../shared/components/button.js';
import { Spinner } from '../../shared/components/card.js';
import { useWords } from '../texts.js';

/** A page whose code is fetched when it is first shown. */
export function lazyPage(load: () => Promise<ComponentType>): ComponentType {
  let known: ComponentType | null = null;
  return function LazyPage() {
    const words = useWords();
    const [Page, setPage] = useState<ComponentType | null>(() => known);
    const [failed, setFailed] = useState(false);
    useEffect(() => {
      if (known !== null) return;
      load().then(
        (page) => {
          known = page;
          setPage(() => page);
        },
        () => setFailed(true),
      );
    }, []);
    if (Page !== null) return <Page />;
    return (
      <div class="empty">
        {failed ? (
          <>
            <p>{words.errors.network}</p>
            <Button kind="outline" icon="refresh" onClick={() => location.reload()}>
              {words.app.retry}
            </Button>
          </>
        ) : (
          <Spinner label={words.app.loading} />
        )}
      </div>
    );
  };
}
