import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Code } from './code.tsx';
import { Panel } from './page.tsx';
import styles from './secret-once.module.css';

interface SecretOnceProps {
  readonly title: ReactNode;
  /** The secret itself. */
  readonly text: string;
  /** Its name, for who copies it. */
  readonly label: string;
  /** What it is for, and that it is not shown again. */
  readonly children: ReactNode;
  /** More to do with it, such as a download. */
  readonly actions?: ReactNode;
  readonly onDone: () => void;
}

/** A secret that only the answer before had. It stays on the page, so that no stray click loses it, until the person says that it is stored. */
export const SecretOnce = ({ title, text, label, children, actions, onDone }: SecretOnceProps) => (
  <div role="status" className={styles.frame}>
    <Panel title={title}>
      <p>{children}</p>
      <Code text={text} label={label} />
      <div className={styles.actions}>
        {actions}
        <Button look="primary" onPress={onDone}>
          <Trans>I have stored it</Trans>
        </Button>
      </div>
    </Panel>
  </div>
);
