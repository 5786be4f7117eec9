import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { Form } from 'react-aria-components';
import { noteOf } from '../../api/errors.ts';
import { Button } from '../../ui/button.tsx';
import { Page, Panel } from '../../ui/page.tsx';
import { Empty, ErrorNote, Loading } from '../../ui/states.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { TimeField } from '../../ui/time-field.tsx';
import { AddressPart } from './address-part.tsx';
import styles from './consent.module.css';
import { ContactPart } from './contact-part.tsx';
import { contactsOfAddressQuery } from './queries.ts';

const route = getRouteApi('/signed-in/consent');

function LookUpPage() {
  const { t } = useLingui();
  const { address, contact_id } = route.useSearch();
  return (
    <Page title={t`Consent`} about={t`Who may be written to, since when, and how it is proven. Nothing in the record is ever replaced.`}>
      <LookUpForm key={`${address} ${contact_id}`} />
      {contact_id !== undefined ? (
        <Contact id={contact_id} />
      ) : address !== undefined ? (
        <OfAddress address={address} />
      ) : (
        <Empty
          title={<Trans>Look up a person</Trans>}
          actions={
            <a href="/docs/guides/consent">
              <Trans>Guide: consent and suppression</Trans>
            </a>
          }
        >
          <Trans>
            An address and a moment show the state of each channel then, with the text that was agreed to, and every entry of the record since.
          </Trans>
        </Empty>
      )}
    </Page>
  );
}

function LookUpForm() {
  const { t } = useLingui();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [who, setWho] = useState(search.address ?? search.contact_id ?? '');
  const given = who.trim();
  return (
    <Form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        const named = given.startsWith('con_') ? { contact_id: given } : { address: given || undefined };
        void navigate({ search: { ...named, as_of: search.as_of } });
      }}
    >
      <TextField label={t`Address or contact id`} name="who" placeholder="ada@example.com" value={who} onChange={setWho} autoComplete="off" />
      <TimeField
        label={t`At this moment`}
        value={search.as_of ?? null}
        onChange={(as_of) => void navigate({ search: (now) => ({ ...now, as_of: as_of ?? undefined }), replace: true })}
      />
      <Button type="submit" look="primary">
        <Trans>Look up</Trans>
      </Button>
    </Form>
  );
}

function Contact({ id }: { readonly id: string }) {
  const navigate = route.useNavigate();
  const { as_of } = route.useSearch();
  return (
    <ContactPart id={id} asOf={as_of} onAsOf={(at) => void navigate({ search: (now) => ({ ...now, as_of: at ?? undefined }), replace: true })} />
  );
}

/** The contact of an address, if it has one, and the address itself, which can be suppressed without. */
function OfAddress({ address }: { readonly address: string }) {
  const { t } = useLingui();
  const { data, error, refetch } = useQuery(contactsOfAddressQuery(address));
  if (!data) return error ? <ErrorNote {...noteOf(error)} onRetry={() => void refetch()} /> : <Loading rows={6} />;
  return (
    <>
      {data.data.map(({ id }) => (
        <Contact key={id} id={id} />
      ))}
      {data.data.length === 0 && (
        <Panel title={t`Consents`}>
          <p>
            <Trans>
              No contact has <bdi>{address}</bdi> now, so that there is no record of consents.
            </Trans>
          </p>
        </Panel>
      )}
      <AddressPart address={address} />
    </>
  );
}

export const page = createLazyRoute('/signed-in/consent')({ component: LookUpPage });
