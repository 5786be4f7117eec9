import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { answer, api, type Schemas } from '../../api/client.ts';
import { ApiError, noteOf } from '../../api/errors.ts';
import { useMay } from '../../api/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Page } from '../../ui/page.tsx';
import { ShowAsCode } from '../../ui/show-as-code.tsx';
import { Empty, ErrorNote, Loading } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { NewField } from './new-field.tsx';
import styles from './people.module.css';
import { fieldsQuery, useChange } from './queries.ts';
import { fieldTypeWords } from './words.ts';

type Field = Schemas['CustomField'];

/** What the account keeps of people besides the fields that everybody has. */
function FieldsPage() {
  const { t, i18n } = useLingui();
  const mayWrite = useMay('contacts:write');
  const fields = useQuery(fieldsQuery);
  const [isNew, setIsNew] = useState(false);
  const [removed, setRemoved] = useState<Field | null>(null);
  const create = mayWrite && (
    <Button look="primary" onPress={() => setIsNew(true)}>
      <Trans>New field</Trans>
    </Button>
  );
  return (
    <Page
      title={t`Fields`}
      about={t`What this account keeps of people, besides their names and addresses.`}
      actions={
        <>
          <ShowAsCode method="GET" path="/v1/custom-fields" />
          {create}
        </>
      }
    >
      {fields.isPending && <Loading rows={6} />}
      {fields.isError && <ErrorNote {...noteOf(fields.error)} onRetry={() => void fields.refetch()} />}
      {fields.data && (
        <DataTable
          label={t`Fields`}
          columns={[
            { key: 'label', header: t`Label`, width: 'minmax(0, 1.5fr)', cell: ({ label }) => <bdi>{label}</bdi> },
            { key: 'key', header: t`Key`, secondary: true, cell: ({ key }) => <code>{key}</code> },
            { key: 'type', header: t`Type`, width: '6.5rem', cell: ({ type }) => i18n._(fieldTypeWords[type]) },
            {
              key: 'traits',
              header: t`Traits`,
              secondary: true,
              cell: ({ unique, pii }) => (
                <span className={styles.badges}>
                  {unique && <Badge tone="info">{t`Unique`}</Badge>}
                  {pii && <Badge tone="warning">{t`Personal`}</Badge>}
                </span>
              ),
            },
            ...(mayWrite
              ? [
                  {
                    key: 'remove',
                    header: t`Actions`,
                    width: '6.5rem',
                    align: 'end' as const,
                    cell: (field: Field) => (
                      <Button size="small" look="quiet" aria-label={t`Remove the field ${field.label}`} onPress={() => setRemoved(field)}>
                        <Trans>Remove</Trans>
                      </Button>
                    ),
                  },
                ]
              : []),
          ]}
          rows={fields.data.data}
          rowKey={({ id }) => id}
          empty={
            <Empty title={<Trans>No fields yet</Trans>} actions={create}>
              <Trans>
                A field has a key, by which the API, imports, rules and templates name it, and a type, which neither can be changed later.
              </Trans>
            </Empty>
          }
        />
      )}
      <NewField isOpen={isNew} onClose={() => setIsNew(false)} />
      {removed && <RemoveField field={removed} onClose={() => setRemoved(null)} />}
    </Page>
  );
}

function RemoveField({ field, onClose }: { readonly field: Field; readonly onClose: () => void }) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const remove = useChange(
    () => answer(api.DELETE('/v1/custom-fields/{id}', { params: { path: { id: field.id } } })),
    () => {
      toast({ message: t`The field was removed.`, tone: 'success' });
      void queries.invalidateQueries({ queryKey: fieldsQuery.queryKey });
      onClose();
    },
  );
  return (
    <ConfirmDialog
      title={t`Remove this field`}
      isOpen
      onClose={onClose}
      confirmLabel={t`Remove`}
      onConfirm={() => remove.mutate(undefined)}
      isPending={remove.isPending}
      typedName={field.key}
      {...(remove.error && { error: remove.error.message, requestId: remove.error instanceof ApiError ? remove.error.requestId : null })}
    >
      <Trans>No contact shows its values any more, and they do not come back. A field that segments or journeys name cannot be removed.</Trans>
    </ConfirmDialog>
  );
}

export const page = createLazyRoute('/signed-in/people/fields')({ component: FieldsPage });
