import { Trans, useLingui } from '@lingui/react/macro';
import { useInfiniteQuery } from '@tanstack/react-query';
import { createLazyRoute, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Form } from 'react-aria-components';
import { answer, api } from '../../api/client.ts';
import { noteOf, problemOf } from '../../api/errors.ts';
import { useMay, useMe } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { RadioGroup } from '../../ui/choices.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Page } from '../../ui/page.tsx';
import { ShowAsCode } from '../../ui/show-as-code.tsx';
import { Empty, ErrorNote, Loading } from '../../ui/states.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toast.tsx';
import styles from './people.module.css';
import { listPagesQuery, useChange } from './queries.ts';

function ListsPage() {
  const { t, i18n } = useLingui();
  const { timezone } = useMe().account;
  const mayWrite = useMay('lists:write');
  const lists = useInfiniteQuery(listPagesQuery);
  const [isNew, setIsNew] = useState(false);
  const create = mayWrite && (
    <Button look="primary" onPress={() => setIsNew(true)}>
      <Trans>New list</Trans>
    </Button>
  );
  return (
    <Page
      title={t`Lists`}
      about={t`Whom people have asked to hear from you about.`}
      actions={
        <>
          <ShowAsCode method="GET" path="/v1/lists" />
          {create}
        </>
      }
    >
      {lists.isPending && <Loading rows={6} />}
      {lists.isError && <ErrorNote {...noteOf(lists.error)} onRetry={() => void lists.refetch()} />}
      {lists.data && (
        <DataTable
          label={t`Lists`}
          columns={[
            { key: 'name', header: t`Name`, width: 'minmax(9rem, 2fr)', cell: ({ name }) => <bdi>{name}</bdi> },
            { key: 'subscribed', header: t`Subscribed`, width: '7rem', align: 'end', cell: ({ counts }) => i18n.number(counts.subscribed) },
            { key: 'pending', header: t`Pending`, width: '7rem', align: 'end', secondary: true, cell: ({ counts }) => i18n.number(counts.pending) },
            {
              key: 'unsubscribed',
              header: t`Unsubscribed`,
              width: '8rem',
              align: 'end',
              secondary: true,
              cell: ({ counts }) => i18n.number(counts.unsubscribed),
            },
            {
              key: 'opt_in',
              header: t`Opt-in`,
              width: '7rem',
              secondary: true,
              cell: ({ opt_in }) => (opt_in === 'double' ? t`Double` : t`Single`),
            },
            {
              key: 'created_at',
              header: t`Created`,
              width: '9rem',
              secondary: true,
              cell: ({ created_at }) => <Time value={created_at} zone={timezone} />,
            },
          ]}
          rows={lists.data.pages.flatMap(({ data }) => data)}
          rowKey={({ id }) => id}
          href={({ id }) => `/people/lists/${id}`}
          hasMore={lists.hasNextPage}
          isLoadingMore={lists.isFetchingNextPage}
          onEndReached={() => void lists.fetchNextPage()}
          empty={
            <Empty title={<Trans>No lists yet</Trans>} actions={create}>
              <Trans>People subscribe to a list and leave it. With double opt-in they confirm by mail first, which is kept as a proof.</Trans>
            </Empty>
          }
        />
      )}
      <NewList isOpen={isNew} onClose={() => setIsNew(false)} />
    </Page>
  );
}

const EMPTY = { name: '', description: '', opt_in: 'single' };

function NewList({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const [draft, setDraft] = useState(EMPTY);
  const close = (): void => {
    setDraft(EMPTY);
    create.reset();
    onClose();
  };
  const create = useChange(
    ({ name, description, opt_in }: typeof EMPTY) =>
      answer(
        api.POST('/v1/lists', {
          body: { name, opt_in: opt_in === 'double' ? 'double' : 'single', ...(description.trim() !== '' && { description }) },
        }),
      ),
    ({ id }) => {
      toast({ message: t`The list was created.`, tone: 'success' });
      close();
      void navigate({ to: '/people/lists/$id', params: { id } });
    },
  );
  const isField = problemOf(create.error, 'name') ?? problemOf(create.error, 'description');
  return (
    <Dialog title={t`New list`} isOpen={isOpen} onClose={close}>
      <Form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate(draft);
        }}
      >
        {create.error && isField === undefined && <ErrorNote {...noteOf(create.error)} />}
        <TextField
          label={t`Name`}
          hint={t`People see it in confirmation mails.`}
          value={draft.name}
          onChange={(name) => setDraft({ ...draft, name })}
          error={problemOf(create.error, 'name')}
          autoFocus
        />
        <TextField
          label={t`Description`}
          rows={2}
          value={draft.description}
          onChange={(description) => setDraft({ ...draft, description })}
          error={problemOf(create.error, 'description')}
        />
        <RadioGroup
          label={t`Opt-in`}
          options={[
            { value: 'single', label: t`Single`, hint: t`Who is added is subscribed.` },
            { value: 'double', label: t`Double`, hint: t`Who is added confirms by email within 72 hours.` },
          ]}
          value={draft.opt_in}
          onChange={(opt_in) => setDraft({ ...draft, opt_in })}
        />
        <div className={styles.buttons}>
          <Button onPress={close}>
            <Trans>Cancel</Trans>
          </Button>
          <Button type="submit" look="primary" isPending={create.isPending}>
            <Trans>Create</Trans>
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

export const page = createLazyRoute('/signed-in/people/lists')({ component: ListsPage });
