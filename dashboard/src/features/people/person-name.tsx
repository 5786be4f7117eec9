import { Trans } from '@lingui/react/macro';
import type { Schemas } from '../../api/client.ts';
import styles from './people.module.css';

export type Contact = Schemas['Contact'];
type Named = Pick<Contact, 'id' | 'first_name' | 'last_name' | 'email' | 'phone'>;

/** The name of a person, or else an address; null for somebody who has neither. */
export function nameOf({ first_name, last_name, email, phone }: Named): string | null {
  const name = [first_name, last_name].filter((part) => part?.trim()).join(' ');
  return name || email || phone;
}

/** The name in its own direction, whatever is around it. */
export const PersonName = ({ contact }: { readonly contact: Named }) => {
  const name = nameOf(contact);
  return name === null ? (
    <span className={styles.muted}>
      <Trans>Nameless</Trans>
    </span>
  ) : (
    <bdi>{name}</bdi>
  );
};
