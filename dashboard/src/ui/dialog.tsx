import { Trans, useLingui } from '@lingui/react/macro';
import { X } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { Dialog as AriaDialog, Form, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { Button } from './button.tsx';
import styles from './dialog.module.css';
import { ScrollContext } from './row-window.ts';
import { ErrorNote } from './states.tsx';
import { TextField } from './text-field.tsx';

export interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Its buttons, at the bottom; the main one last. */
  readonly actions?: ReactNode;
  readonly size?: 'normal' | 'large';
}

interface OverlayProps extends DialogProps {
  readonly place: 'center' | 'side';
  readonly role?: 'dialog' | 'alertdialog';
}

/** What lies over the page, keeps the focus in itself, and is closed by Escape. */
export function Overlay({ title, isOpen, onClose, children, actions, size = 'normal', place, role = 'dialog' }: OverlayProps) {
  const { t } = useLingui();
  const content = useRef<HTMLDivElement>(null);
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={(opens) => !opens && onClose()}
      isDismissable={role === 'dialog'}
      className={`${styles.shade} ${styles[place]}`}
    >
      <Modal className={`${styles.modal} ${styles[size]}`}>
        <AriaDialog role={role} className={styles.dialog}>
          <header className={styles.header}>
            <Heading slot="title" className={styles.title}>
              {title}
            </Heading>
            <Button look="quiet" size="small" aria-label={t`Close`} onPress={onClose}>
              <X aria-hidden />
            </Button>
          </header>
          <div ref={content} className={styles.content}>
            <ScrollContext value={content}>{children}</ScrollContext>
          </div>
          {actions && <footer className={styles.actions}>{actions}</footer>}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

/** Something to do before the page goes on. */
export const Dialog = (props: DialogProps) => <Overlay {...props} place="center" />;

export interface ConfirmDialogProps extends Omit<DialogProps, 'actions' | 'size'> {
  /** What will be done, as a verb: "Delete", not "OK". */
  readonly confirmLabel: string;
  readonly onConfirm: () => void;
  readonly isPending?: boolean;
  /** Why the last attempt failed, in the words of the API. */
  readonly error?: string | undefined;
  readonly requestId?: string | null;
  /** What must be typed first, for what cannot be taken back. */
  readonly typedName?: string;
  /** `primary` for what does no harm. */
  readonly look?: 'danger' | 'primary';
}

/** Asks before something is done that cannot be undone. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, isOpen, onClose, children, confirmLabel, onConfirm, isPending, error, requestId, typedName, look = 'danger' } = props;
  const { t } = useLingui();
  const [typed, setTyped] = useState('');
  const isConfirmed = typedName === undefined || typed.trim() === typedName.trim();
  const close = (): void => {
    setTyped('');
    onClose();
  };
  return (
    <Overlay title={title} isOpen={isOpen} onClose={close} place="center" role="alertdialog">
      <Form
        className={styles.confirm}
        onSubmit={(event) => {
          event.preventDefault();
          if (isConfirmed && !isPending) onConfirm();
        }}
      >
        <div>{children}</div>
        {typedName !== undefined && <TextField label={t`Type “${typedName}” to confirm`} value={typed} onChange={setTyped} autoComplete="off" />}
        {error !== undefined && <ErrorNote message={error} requestId={requestId} />}
        <div className={styles.actions}>
          <Button onPress={close}>
            <Trans>Cancel</Trans>
          </Button>
          <Button type="submit" look={look} isDisabled={!isConfirmed} isPending={isPending}>
            {confirmLabel}
          </Button>
        </div>
      </Form>
    </Overlay>
  );
}
