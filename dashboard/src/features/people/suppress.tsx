import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { Form } from 'react-aria-components';
import { answer, api } from '../../api/client.ts';
import { noteOf } from '../../api/errors.ts';
import { Button } from '../../ui/button.tsx';
import { CheckboxGroup, RadioGroup } from '../../ui/choices.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import styles from './people.module.css';
import type { Contact } from './person-name.tsx';
import { useChange } from './queries.ts';

interface SuppressProps {
  readonly contact: Contact;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Puts addresses of a person on the do-not-contact list. */
export function Suppress({ contact: { email, phone }, isOpen, onClose }: SuppressProps) {
  const { t } = useLingui();
  const known = [email, phone].filter((one) => one !== null);
  const [addresses, setAddresses] = useState<readonly string[]>(known);
  const [scope, setScope] = useState('all');
  const close = (): void => {
    suppress.reset();
    onClose();
  };
  const suppress = useChange(
    async (chosen: readonly string[]) => {
      for (const address of chosen)
        await answer(
          api.POST('/v1/account/unsubscribes', {
            body: {
              ...(address === email ? { email: address } : { phone: address }),
              reason: 'manual',
              source: 'dashboard',
              scope: scope === 'marketing' ? 'marketing' : 'all',
            },
          }),
        );
    },
    () => {
      toast({ message: t`No more messages are sent there.`, tone: 'success' });
      close();
    },
  );
  return (
    <Dialog title={t`Suppress this person`} isOpen={isOpen} onClose={close}>
      <Form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (addresses.length > 0) suppress.mutate(addresses);
        }}
      >
        {suppress.error && <ErrorNote {...noteOf(suppress.error)} />}
        <CheckboxGroup
          label={t`Addresses`}
          options={known.map((value) => ({ value, label: <bdi>{value}</bdi> }))}
          value={addresses}
          onChange={setAddresses}
        />
        <RadioGroup
          label={t`What is stopped`}
          options={[
            { value: 'all', label: t`All messages`, hint: t`Receipts and codes, too.` },
            { value: 'marketing', label: t`Marketing only` },
          ]}
          value={scope}
          onChange={setScope}
        />
        <p className={styles.muted}>
          <Trans>It holds for the address, whoever has it, until it is lifted with a reason.</Trans>
        </p>
        <div className={styles.buttons}>
          <Button onPress={close}>
            <Trans>Cancel</Trans>
          </Button>
          <Button type="submit" look="danger" isPending={suppress.isPending} isDisabled={addresses.length === 0}>
            <Trans>Suppress</Trans>
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
