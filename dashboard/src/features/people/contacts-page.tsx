import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { Columns3 } from 'lucide-react';
import { useState } from 'react';
import type { Schemas } from '../../api/client.ts';
import { noteOf, problemOf } from '../../api/errors.ts';
import { useMay } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { CheckboxGroup } from '../../ui/choices.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { Page } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { ShowAsCode } from '../../ui/show-as-code.tsx';
import { Empty, ErrorNote, Loading } from '../../ui/states.tsx';
import { BulkActions } from './bulk-actions.tsx';
import { useContactColumns } from './contact-columns.tsx';
import { barValues, type ContactSearch, filtersOf, isFiltered, parametersOf, useContactFilters, withFilter } from './contact-filters.ts';
import { NewContact } from './new-contact.tsx';
import styles from './people.module.css';
import { contactsQuery } from './queries.ts';
import { useTypedText } from './use-pause.ts';

const route = getRouteApi('/signed-in/people');
const NOBODY: ReadonlySet<string> = new Set();

function ContactsPage() {
  const { t } = useLingui();
  const search: ContactSearch = route.useSearch();
  const navigate = route.useNavigate();
  const mayWrite = useMay('contacts:write');
  const change = (next: ContactSearch): void => void navigate({ search: next, replace: true });
  const [text, setText] = useTypedText(search.q ?? '', (q) => change({ ...search, q: q || undefined }));
  const [isNew, setIsNew] = useState(false);
  return (
    <Page
      title={t`People`}
      about={t`Everybody whom this account knows, newest first.`}
      actions={
        <>
          <ShowAsCode method="GET" path="/v1/contacts" query={parametersOf(search)} />
          {mayWrite && (
            <Button look="primary" onPress={() => setIsNew(true)}>
              <Trans>New contact</Trans>
            </Button>
          )}
        </>
      }
    >
      <div className={styles.tools}>
        <SearchField label={t`Search people`} placeholder={t`Name, email or phone`} value={text} onChange={setText} />
        <FilterBar filters={useContactFilters()} values={barValues(search)} onChange={(key, value) => change(withFilter(search, key, value))} />
        <ChooseColumns chosen={search.columns} onChange={(columns) => change({ ...search, columns })} />
      </div>
      <ContactTable search={search} onChange={change} onNew={() => setIsNew(true)} />
      <NewContact isOpen={isNew} onClose={() => setIsNew(false)} />
    </Page>
  );
}

interface ContactTableProps {
  readonly search: ContactSearch;
  readonly onChange: (search: ContactSearch) => void;
  readonly onNew: () => void;
}

function ContactTable({ search, onChange, onNew }: ContactTableProps) {
  const { t } = useLingui();
  const mayWrite = useMay('contacts:write');
  const filters = filtersOf(search);
  const list = useInfiniteQuery({ ...contactsQuery(filters), placeholderData: keepPreviousData });
  const { shown } = useContactColumns(search.columns);
  const [selected, setSelected] = useState(NOBODY);
  if (list.isPending) return <Loading rows={10} />;
  const problem = problemOf(list.error, 'q');
  if (problem !== undefined) return <Empty title={<Trans>Go on typing</Trans>}>{problem}</Empty>;
  if (!list.data) return <ErrorNote {...noteOf(list.error)} onRetry={() => void list.refetch()} />;
  return (
    <>
      {list.isError && <ErrorNote {...noteOf(list.error)} onRetry={() => void list.refetch()} />}
      <div className={styles.bulk}>
        {list.data.pages[0]?.total && <Total {...list.data.pages[0].total} />}
        {mayWrite && <BulkActions selected={selected} filters={filters} onDone={() => setSelected(NOBODY)} />}
      </div>
      <DataTable
        label={t`People`}
        columns={shown}
        rows={list.data.pages.flatMap(({ data }) => data)}
        rowKey={({ id }) => id}
        href={({ id }) => `/people/${id}`}
        hasMore={list.hasNextPage}
        isLoadingMore={list.isFetchingNextPage}
        onEndReached={() => void list.fetchNextPage()}
        {...(mayWrite && { selected, onSelect: setSelected })}
        sort={{ key: 'created_at', descending: search.order !== 'asc' }}
        onSort={({ descending }) => onChange({ ...search, order: descending ? undefined : 'asc' })}
        empty={isFiltered(search) ? <NothingFound onClear={() => onChange({})} /> : <NothingYet onNew={mayWrite ? onNew : null} />}
      />
    </>
  );
}

const Total = ({ value, exact }: Schemas['Total']) => (
  <p role="status">{exact ? <Plural value={value} one="# person" other="# people" /> : <Trans>More than {value} people</Trans>}</p>
);

function ChooseColumns({ chosen, onChange }: { readonly chosen: string | undefined; readonly onChange: (columns: string | undefined) => void }) {
  const { t } = useLingui();
  const [isOpen, setIsOpen] = useState(false);
  const { all, keys } = useContactColumns(chosen);
  return (
    <>
      <Button look="quiet" onPress={() => setIsOpen(true)}>
        <Columns3 aria-hidden />
        <Trans>Columns</Trans>
      </Button>
      <Dialog
        title={t`Columns`}
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        actions={
          <>
            <Button onPress={() => onChange(undefined)}>
              <Trans>The usual ones</Trans>
            </Button>
            <Button look="primary" onPress={() => setIsOpen(false)}>
              <Trans>Done</Trans>
            </Button>
          </>
        }
      >
        <CheckboxGroup
          label={t`Besides the name`}
          options={all.map(({ key, header }) => ({ value: key, label: header }))}
          value={keys}
          onChange={(next) => onChange(next.join(','))}
        />
      </Dialog>
    </>
  );
}

const NothingFound = ({ onClear }: { readonly onClear: () => void }) => (
  <Empty
    title={<Trans>Nobody matches</Trans>}
    actions={
      <Button onPress={onClear}>
        <Trans>Remove all filters</Trans>
      </Button>
    }
  >
    <Trans>All filters must match. A search looks for beginnings of words, in names, emails and phone numbers.</Trans>
  </Empty>
);

const NothingYet = ({ onNew }: { readonly onNew: (() => void) | null }) => (
  <Empty
    title={<Trans>Nobody is here yet</Trans>}
    actions={
      <>
        {onNew && (
          <Button look="primary" onPress={onNew}>
            <Trans>New contact</Trans>
          </Button>
        )}
        <a href="/docs/guides/importing">
          <Trans>Guide: importing contacts</Trans>
        </a>
      </>
    }
  >
    <Trans>
      A contact is a person with an email, a phone number or an identifier of your own. Contacts come from imports, forms, events and the API, and two
      of the same address become one.
    </Trans>
  </Empty>
);

export const page = createLazyRoute('/signed-in/people')({ component: ContactsPage });
