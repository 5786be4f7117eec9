import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Form } from 'react-aria-components';
import { answer, api, type Schemas, type VersionedValue, versioned } from '../../api/client.ts';
import { noteOf, problemOf } from '../../api/errors.ts';
import { useVersionedSave } from '../../api/versioned-save.ts';
import { Button } from '../../ui/button.tsx';
import { CheckboxGroup, RadioGroup } from '../../ui/choices.tsx';
import { ConflictNote } from '../../ui/conflict-note.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ShowAsCode } from '../../ui/show-as-code.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast.tsx';
import styles from './developers.module.css';
import { eventNames, eventWords } from './events.ts';
import { endpointQuery } from './queries.ts';

type Endpoint = Schemas['WebhookEndpoint'];

interface EndpointDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** What is changed; a new one if not given. */
  readonly endpoint?: VersionedValue<Endpoint>;
  readonly onCreated?: (endpoint: Schemas['WebhookEndpointWithSecret']) => void;
}

/** Adds an endpoint, or changes one. */
export const EndpointDialog = (props: EndpointDialogProps) => props.isOpen && <OpenDialog {...props} />;

function OpenDialog({ onClose, endpoint, onCreated }: EndpointDialogProps) {
  const { t, i18n } = useLingui();
  const form = useId();
  const queries = useQueryClient();
  const before = endpoint?.value;
  const [draft, setDraft] = useState(draftOf(before));
  const set = (change: Partial<Draft>): void => setDraft({ ...draft, ...change });
  const [headers, setHeaders] = useState('');
  const body = { ...targetOf(draft), ...(headers.trim() !== '' && { headers: headersOf(headers) }) };

  const listed = () => queries.invalidateQueries({ queryKey: ['webhook_endpoint', 'list'] });
  const create = useMutation({
    mutationFn: () => answer(api.POST('/v1/webhook-endpoints', { body })),
    onSuccess: (created) => {
      onCreated?.(created);
      return listed();
    },
  });
  const change = useVersionedSave<Endpoint>({
    base: endpoint ?? null,
    reload: () => queries.fetchQuery({ ...endpointQuery(before?.id ?? ''), staleTime: 0 }),
    save: (version) =>
      versioned(api.PATCH('/v1/webhook-endpoints/{id}', { params: { path: { id: before?.id ?? '' } }, body, headers: { 'If-Match': version } })),
    onSaved: (saved) => {
      queries.setQueryData(endpointQuery(saved.value.id).queryKey, saved);
      toast({ message: t`The endpoint is saved.` });
      onClose();
      return listed();
    },
  });
  const error = create.error ?? change.error;
  const { theirs } = change;
  const atFields = ['url', 'description', 'events'].some((field) => problemOf(error, field) !== undefined);

  return (
    <Dialog
      title={before ? t`Change the endpoint` : t`Add an endpoint`}
      isOpen
      onClose={onClose}
      actions={
        <>
          <ShowAsCode method={before ? 'PATCH' : 'POST'} path={before ? `/v1/webhook-endpoints/${before.id}` : '/v1/webhook-endpoints'} body={body} />
          <Button onPress={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button type="submit" form={form} look="primary" isPending={create.isPending || change.isPending}>
            {before ? t`Save` : t`Add the endpoint`}
          </Button>
        </>
      }
    >
      <Form
        id={form}
        className={styles.form ?? ''}
        onSubmit={(event) => {
          event.preventDefault();
          if (before) change.save();
          else create.mutate();
        }}
      >
        {error && !atFields && <ErrorNote {...noteOf(error)} />}
        {theirs && (
          <ConflictNote
            differences={differencesOf(draft, draftOf(theirs), t)}
            onTakeTheirs={() => {
              setDraft(draftOf(theirs));
              change.reset();
            }}
            onKeepMine={change.save}
            isPending={change.isPending}
          />
        )}
        <TextField
          label={t`Address`}
          type="url"
          placeholder="https://example.com/webhooks"
          hint={t`It answers with a status of 200 to 299 once it has stored the event.`}
          error={problemOf(error, 'url')}
          value={draft.url}
          onChange={(url) => set({ url })}
          isRequired
          autoFocus
        />
        <TextField
          label={t`Description`}
          error={problemOf(error, 'description')}
          value={draft.description}
          onChange={(description) => set({ description })}
        />
        <RadioGroup
          label={t`Events`}
          value={draft.which}
          onChange={(which) => set({ which })}
          options={[
            { value: 'all', label: t`All, also those that come with later releases` },
            { value: 'some', label: t`Only these` },
          ]}
        />
        {draft.which === 'some' && (
          <CheckboxGroup
            label={t`Which events`}
            value={draft.events}
            onChange={(events) => set({ events })}
            error={problemOf(error, 'events')}
            options={eventNames.map((name) => ({ value: name, label: name, hint: i18n._(eventWords[name]) }))}
          />
        )}
        <TextField
          label={t`Headers of your own`}
          rows={2}
          placeholder="Authorization: Bearer …"
          hint={
            before
              ? t`One a line. They are stored sealed and never shown; leave this empty to keep those there are.`
              : t`One a line, as “Name: value”. They are stored sealed and never shown.`
          }
          value={headers}
          onChange={setHeaders}
        />
      </Form>
    </Dialog>
  );
}

interface Draft {
  readonly url: string;
  readonly description: string;
  readonly which: string;
  readonly events: readonly string[];
}

const draftOf = (endpoint: Endpoint | undefined): Draft => {
  const { url = '', description = '', events = [] } = endpoint ?? {};
  return { url, description: description ?? '', which: events.length > 0 ? 'some' : 'all', events };
};

const targetOf = ({ url, description, which, events }: Draft) => ({
  url,
  events: which === 'all' ? [] : (events as Endpoint['events']),
  description: description === '' ? null : description,
});

const differencesOf = (mine: Draft, theirs: Draft, t: ReturnType<typeof useLingui>['t']) =>
  [
    { label: t`Address`, mine: mine.url, theirs: theirs.url },
    { label: t`Description`, mine: mine.description, theirs: theirs.description },
    { label: t`Events`, mine: targetOf(mine).events.join('\n'), theirs: targetOf(theirs).events.join('\n') },
  ].filter((one) => one.mine !== one.theirs);

const headersOf = (lines: string): Record<string, string> =>
  Object.fromEntries(
    lines
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => {
        const [name = '', ...value] = line.split(':');
        return [name.trim(), value.join(':').trim()];
      }),
  );
