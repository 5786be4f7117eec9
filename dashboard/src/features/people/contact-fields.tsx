import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { useMe } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { Time } from '../../ui/time.tsx';
import { EditField } from './edit-field.tsx';
import { FieldText } from './field-text.tsx';
import { type Field, fieldValue } from './field-values.ts';
import styles from './people.module.css';
import type { Contact } from './person-name.tsx';
import { fieldChangesQuery } from './queries.ts';
import { useFields } from './use-fields.ts';
import { sourceWords } from './words.ts';

interface ContactFieldsProps {
  readonly contact: Contact;
  readonly version: string | null;
  readonly asOf: string | undefined;
  readonly mayWrite: boolean;
}

/** What is known of the person: each value with its source and time, and changed in its place. */
export function ContactFields({ contact, version, asOf, mayWrite }: ContactFieldsProps) {
  const { t } = useLingui();
  const fields = useFields();
  const origins = useOrigins(contact.id, asOf);
  const [edited, setEdited] = useState<string | null>(null);
  return (
    <dl className={styles.fields}>
      {fields.map((field) =>
        edited === field.name ? (
          <EditField key={field.name} field={field} contact={contact} version={version} onClose={() => setEdited(null)} />
        ) : (
          <div key={field.name} className={`${styles.field} ${fieldValue(field, contact) === null ? styles.unset : ''}`}>
            <dt>
              <bdi>{field.label}</bdi>
            </dt>
            <dd>
              <Value value={fieldValue(field, contact)} />
              <OtherAddresses field={field} contact={contact} />
            </dd>
            <Origin origin={origins.get(field.name)} isKnown={fieldValue(field, contact) !== null} />
            {mayWrite && (
              <dd className={styles.edit}>
                <Button size="small" look="quiet" aria-label={t`Change ${field.label}`} onPress={() => setEdited(field.name)}>
                  <Pencil aria-hidden />
                </Button>
              </dd>
            )}
          </div>
        ),
      )}
    </dl>
  );
}

const Value = ({ value }: { readonly value: unknown }) =>
  value === null || value === undefined ? <span className={styles.muted}>–</span> : <FieldText value={value} />;

function OtherAddresses({ field, contact }: { readonly field: Field; readonly contact: Contact }) {
  const others = field.name === 'email' ? contact.other_emails : field.name === 'phone' ? contact.other_phones : [];
  return others.map((address) => (
    <span key={address} className={styles.small}>
      <br />
      <Trans>
        Also <bdi>{address}</bdi>
      </Trans>
    </span>
  ));
}

interface ValueOrigin {
  readonly at: string;
  readonly source: string | null;
}

/** Where each value comes from, by the latest change that has given it. */
function useOrigins(id: string, asOf: string | undefined): ReadonlyMap<string, ValueOrigin> {
  const { data } = useQuery(fieldChangesQuery(id));
  const origins = new Map<string, ValueOrigin>();
  for (const { data: change, occurred_at: at } of data?.data ?? []) {
    if (asOf !== undefined && Date.parse(at) > Date.parse(asOf)) continue;
    const values = typeof change.values === 'object' && change.values !== null ? Object.keys(change.values) : [];
    const source = typeof change.source === 'string' ? change.source : null;
    for (const name of values) if (!origins.has(name)) origins.set(name, { at, source });
  }
  return origins;
}

function Origin({ origin, isKnown }: { readonly origin: ValueOrigin | undefined; readonly isKnown: boolean }) {
  const { i18n } = useLingui();
  const { timezone } = useMe().account;
  if (!origin || !isKnown) return null;
  const source = origin.source !== null && Object.hasOwn(sourceWords, origin.source) ? i18n._(sourceWords[origin.source as 'api']) : origin.source;
  return (
    <dd className={styles.small}>
      <Time value={origin.at} zone={timezone} />
      {source !== null && <> · {source}</>}
    </dd>
  );
}
