import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useMe } from '../../api/session.ts';
import { Badge } from '../../ui/badge.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { Time } from '../../ui/time.tsx';
import { FieldText } from './field-text.tsx';
import styles from './people.module.css';
import { type Contact, PersonName } from './person-name.tsx';
import { fieldsQuery, listsQuery } from './queries.ts';
import { channelWords, sourceWords } from './words.ts';

const USUAL = ['email', 'phone', 'tags', 'created_at'];

/** The columns that the list can have besides the name, and those that the address chooses. */
export function useContactColumns(chosen: string | undefined): { all: Column<Contact>[]; shown: Column<Contact>[]; keys: string[] } {
  const { t, i18n } = useLingui();
  const { timezone } = useMe().account;
  const { data: fields } = useQuery(fieldsQuery);
  const { data: lists } = useQuery(listsQuery);
  const listName = (id: string): string => lists?.data.find((one) => one.id === id)?.name ?? id;
  const text = (key: 'email' | 'phone' | 'locale' | 'timezone', header: string): Column<Contact> => ({
    key,
    header,
    secondary: key !== 'email',
    cell: (contact) => <bdi>{contact[key]}</bdi>,
  });

  const name: Column<Contact> = { key: 'name', header: t`Name`, width: 'minmax(9rem, 1.2fr)', cell: (contact) => <PersonName contact={contact} /> };
  const all: Column<Contact>[] = [
    text('email', t`Email`),
    text('phone', t`Phone`),
    { key: 'tags', header: t`Tags`, secondary: true, cell: ({ tags }) => <Tags tags={tags} /> },
    {
      key: 'lists',
      header: t`Lists`,
      secondary: true,
      cell: (contact) =>
        contact.lists
          .filter(({ status }) => status === 'subscribed')
          .map(({ id }) => listName(id))
          .join(', '),
    },
    {
      key: 'suppressed',
      header: t`Suppressed`,
      secondary: true,
      cell: ({ suppressed_channels }) =>
        suppressed_channels.length > 0 && (
          <Badge tone="warning">
            {suppressed_channels.map((one) => (one in channelWords ? i18n._(channelWords[one as 'all']) : one)).join(', ')}
          </Badge>
        ),
    },
    text('locale', t`Language`),
    text('timezone', t`Time zone`),
    { key: 'source', header: t`Source`, secondary: true, width: '8rem', cell: ({ source }) => i18n._(sourceWords[source]) },
    ...(fields?.data ?? []).map(
      ({ key, label }): Column<Contact> => ({
        key: `custom_field.${key}`,
        header: label,
        secondary: true,
        cell: ({ custom_fields }) => <FieldText value={custom_fields[key]} />,
      }),
    ),
    {
      key: 'created_at',
      header: t`Created`,
      secondary: true,
      width: '9rem',
      canSort: true,
      cell: ({ created_at }) => <Time value={created_at} zone={timezone} />,
    },
  ];
  const keys = chosen === undefined ? USUAL : chosen.split(',');
  return { all, keys, shown: [name, ...all.filter(({ key }) => keys.includes(key))] };
}

const Tags = ({ tags }: { readonly tags: readonly string[] }) => (
  <span className={`${styles.tags} ${styles.oneLine}`}>
    {tags.map((tag) => (
      <bdi key={tag} className={styles.tag}>
        {tag}
      </bdi>
    ))}
  </span>
);
