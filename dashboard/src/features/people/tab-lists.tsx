import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Form } from 'react-aria-components';
import { answer, api, type Schemas } from '../../api/client.ts';
import { noteOf } from '../../api/errors.ts';
import { useMay } from '../../api/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Panel } from '../../ui/page.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import styles from './people.module.css';
import type { Contact } from './person-name.tsx';
import { listsQuery, useChange } from './queries.ts';
import { Resubscribe } from './resubscribe.tsx';
import { membershipWords } from './words.ts';

type Membership = Schemas['ContactListMembership'];

/** The lists that the person is or was on. */
export function Lists({ contact, asOf }: { readonly contact: Contact; readonly asOf: string | undefined }) {
  const { t } = useLingui();
  const mayWrite = useMay('lists:write') && asOf === undefined;
  const [back, setBack] = useState<Membership | null>(null);
  return (
    <div className={styles.stack}>
      <Panel title={t`Lists`}>
        {contact.lists.length === 0 ? (
          <p className={styles.muted}>
            <Trans>On no list.</Trans>
          </p>
        ) : (
          <ul className={styles.rows}>
            {contact.lists.map((membership) => (
              <li key={membership.id}>
                <MembershipRow contact={contact.id} membership={membership} mayWrite={mayWrite} onBack={() => setBack(membership)} />
              </li>
            ))}
          </ul>
        )}
        {mayWrite && <AddToList contact={contact} />}
      </Panel>
      {back && <Resubscribe contact={contact.id} list={back.id} onClose={() => setBack(null)} />}
    </div>
  );
}

interface MembershipRowProps {
  readonly contact: string;
  readonly membership: Membership;
  readonly mayWrite: boolean;
  readonly onBack: () => void;
}

function MembershipRow({ contact, membership: { id, status }, mayWrite, onBack }: MembershipRowProps) {
  const { t, i18n } = useLingui();
  const { data: lists } = useQuery(listsQuery);
  const name = lists?.data.find((one) => one.id === id)?.name ?? id;
  const words = membershipWords[status as Schemas['MembershipStatus']];
  const remove = useChange(
    () => answer(api.DELETE('/v1/lists/{id}/contacts/{contact_id}', { params: { path: { id, contact_id: contact } } })),
    () => toast({ message: t`Taken off the list ${name}.`, tone: 'success' }),
  );
  const isOn = status === 'subscribed' || status === 'pending';
  return (
    <>
      <Link to="/people/lists/$id" params={{ id }} className={styles.words ?? ''}>
        <bdi>{name}</bdi>
      </Link>
      <span className={styles.badges}>
        <Badge tone={words?.tone ?? 'neutral'}>{words ? i18n._(words.label) : status}</Badge>
        {mayWrite && isOn && (
          <Button
            size="small"
            look="quiet"
            aria-label={t`Take off the list ${name}`}
            isPending={remove.isPending}
            onPress={() => remove.mutate(undefined)}
          >
            <Trans>Take off</Trans>
          </Button>
        )}
        {mayWrite && !isOn && (
          <Button size="small" look="quiet" aria-label={t`Put back on the list ${name}`} onPress={onBack}>
            <Trans>Put back</Trans>
          </Button>
        )}
      </span>
      {remove.error && (
        <div className={styles.wide}>
          <ErrorNote {...noteOf(remove.error)} />
        </div>
      )}
    </>
  );
}

function AddToList({ contact }: { readonly contact: Contact }) {
  const { t, i18n } = useLingui();
  const { data: lists } = useQuery(listsQuery);
  const [chosen, setChosen] = useState<string | null>(null);
  const on = new Set(contact.lists.map(({ id }) => id));
  const others = lists?.data.filter(({ id }) => !on.has(id)) ?? [];
  const add = useChange(
    (id: string) =>
      answer(api.POST('/v1/lists/{id}/contacts', { params: { path: { id } }, body: { contact_ids: [contact.id], source: 'dashboard' } })),
    ({ added }) => {
      const [one] = added;
      const status = one && i18n._(membershipWords[one.status].label);
      toast({ message: one?.unchanged?.message ?? status ?? t`Nothing changed.`, tone: 'success' });
      setChosen(null);
    },
  );
  if (others.length === 0) return null;
  return (
    <Form
      className={styles.add}
      onSubmit={(event) => {
        event.preventDefault();
        if (chosen !== null) add.mutate(chosen);
      }}
    >
      <SelectField
        label={t`Another list`}
        options={others.map(({ id, name }) => ({ value: id, label: name }))}
        value={chosen}
        onChange={setChosen}
        placeholder={t`Choose a list`}
        error={add.error?.message}
      />
      <Button type="submit" isPending={add.isPending} isDisabled={chosen === null}>
        <Trans>Add</Trans>
      </Button>
    </Form>
  );
}
