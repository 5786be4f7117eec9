import { Trans, useLingui } from '@lingui/react/macro';
import { Code } from './code.tsx';
import { Drawer } from './drawer.tsx';
import { asCurl, asNode, asPython, type Call } from './pure/code-of-call.ts';

interface CodeDrawerProps {
  readonly call: Call;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** A call of the API in three languages. */
export function CodeDrawer({ call, isOpen, onClose }: CodeDrawerProps) {
  const { t } = useLingui();
  const { origin } = window.location;
  return (
    <Drawer title={t`Show as code`} size="large" isOpen={isOpen} onClose={onClose}>
      <p>
        <Trans>
          The same as this page does, with an API key in the environment variable <code>HELIOGRAPH_KEY</code>.
        </Trans>
      </p>
      <Code label="curl" text={asCurl(call, origin)} />
      <Code label="Node.js" text={asNode(call, origin)} />
      <Code label="Python" text={asPython(call, origin)} />
    </Drawer>
  );
}
