import { Trans } from '@lingui/react/macro';
import { CodeXml } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Button } from './button.tsx';
import type { Call } from './pure/code-of-call.ts';

const CodeDrawer = lazy(() => import('./code-drawer.tsx').then((module) => ({ default: module.CodeDrawer })));

/** A button that shows the call behind a form or list as code. */
export function ShowAsCode(call: Call) {
  const [isOpen, setIsOpen] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  const open = (): void => {
    setWasOpened(true);
    setIsOpen(true);
  };
  return (
    <>
      <Button look="quiet" onPress={open}>
        <CodeXml aria-hidden />
        <Trans>Show as code</Trans>
      </Button>
      {wasOpened && (
        <Suspense>
          <CodeDrawer call={call} isOpen={isOpen} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
