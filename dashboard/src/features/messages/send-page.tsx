import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi, useBlocker } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { Form } from 'react-aria-components';
import { answer, api } from '../../api/client.ts';
import { ApiError, noteOf } from '../../api/errors.ts';
import { useMay } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Page, Panel } from '../../ui/page.tsx';
import { ShowAsCode } from '../../ui/show-as-code.tsx';
import { Empty, ErrorNote } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { type Draft, dataOf, emptyDraft, requestOf } from './draft.ts';
import styles from './messages.module.css';
import { SendFields } from './send-fields.tsx';
import { SendPreview } from './send-preview.tsx';
import { channels } from './words.ts';

const route = getRouteApi('/signed-in/messages/send');

function SendPage() {
  const { t } = useLingui();
  const maySend = useMay('messages:send');
  if (maySend) return <SendForm />;
  return (
    <Page title={t`Send a message`}>
      <Empty title={<Trans>Your role cannot send messages</Trans>}>
        <Trans>Ask an owner of the account.</Trans>
      </Empty>
    </Page>
  );
}

/** What the address asks for: links of other pages fill in the recipient or the template. */
function useStart(): Draft {
  const { channel, to = '', contact_id = '', template_id } = route.useSearch();
  const known = channels.find((one) => one === channel);
  const source = template_id === undefined ? 'own' : 'template';
  return { ...emptyDraft, to, contact_id, source, template_id: template_id ?? null, ...(known && { channel: known }) };
}

function SendForm() {
  const { t } = useLingui();
  const start = useStart();
  const navigate = route.useNavigate();
  const queries = useQueryClient();
  const [draft, setDraft] = useState(start);
  const [asks, setAsks] = useState(false);
  const isSent = useRef(false);
  const body = requestOf(draft);
  const text = JSON.stringify(body);
  const key = useKeyOf(text);

  const check = useMutation({
    mutationFn: async (sent: string) => ({
      sent,
      result: await answer(api.POST('/v1/messages/send', { body: { ...(JSON.parse(sent) as typeof body), dry_run: true } })),
    }),
  });
  const send = useMutation({
    mutationFn: () => answer(api.POST('/v1/messages/send', { body, headers: { 'Idempotency-Key': key } })),
    async onSuccess({ id, to }) {
      isSent.current = true;
      toast({ message: t`The message to ${to} was accepted.`, tone: 'success' });
      await queries.invalidateQueries({ queryKey: ['message', 'list'] });
      await navigate({ to: '/messages/$id', params: { id } });
    },
    // What is wrong is shown at the fields.
    onError: () => setAsks(false),
  });
  const isDirty = JSON.stringify(draft) !== JSON.stringify(start);
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && !isSent.current && current.pathname !== next.pathname,
    enableBeforeUnload: () => isDirty && !isSent.current,
    withResolver: true,
  });
  const failure = send.error ?? check.error;
  const hasData = draft.source === 'own' || dataOf(draft) !== null;
  const onSend = (): void => {
    send.reset();
    // The question says what would happen.
    check.mutate(text, { onSuccess: () => setAsks(true) });
  };
  const recipient = draft.to;

  return (
    <Page
      title={t`Send a message`}
      about={t`One message to one recipient, now or at a time.`}
      actions={<ShowAsCode method="POST" path="/v1/messages/send" body={body} />}
    >
      <div className={styles.columns}>
        <Panel>
          <Form
            className={styles.parts}
            validationBehavior="aria"
            onSubmit={(event) => {
              event.preventDefault();
              if (hasData && !check.isPending) onSend();
            }}
          >
            <SendFields draft={draft} onChange={(change) => setDraft({ ...draft, ...change })} error={failure} />
            {failure && <Failure error={failure} />}
            <div className={styles.buttons}>
              <Button isDisabled={!hasData} isPending={check.isPending} onPress={() => check.mutate(text)}>
                <Trans>Check without sending</Trans>
              </Button>
              <Button type="submit" look="primary" isDisabled={!hasData} isPending={check.isPending || send.isPending}>
                {draft.send_at === null ? <Trans>Send</Trans> : <Trans>Schedule</Trans>}
              </Button>
            </div>
          </Form>
        </Panel>
        <SendPreview draft={draft} checked={check.data?.sent === text ? check.data.result : null} />
      </div>
      <ConfirmDialog
        title={draft.send_at === null ? t`Send this message?` : t`Schedule this message?`}
        confirmLabel={draft.send_at === null ? t`Send` : t`Schedule`}
        look="primary"
        isOpen={asks}
        onClose={() => setAsks(false)}
        onConfirm={() => send.mutate()}
        isPending={send.isPending}
      >
        <p>
          {check.data?.result.status === 'suppressed' ? (
            <Trans>
              <bdi>{recipient}</bdi> must not be messaged: the message will be recorded as suppressed, and not sent.
            </Trans>
          ) : draft.send_at === null ? (
            <Trans>
              It goes to <bdi>{recipient}</bdi> at once. What is sent cannot be taken back.
            </Trans>
          ) : (
            <Trans>
              It goes to <bdi>{recipient}</bdi> at its time. Until then it can be canceled.
            </Trans>
          )}
        </p>
      </ConfirmDialog>
      <ConfirmDialog
        title={t`Leave without sending?`}
        confirmLabel={t`Leave`}
        isOpen={status === 'blocked'}
        onClose={() => reset?.()}
        onConfirm={() => proceed?.()}
      >
        <p>
          <Trans>What you have typed is not kept.</Trans>
        </p>
      </ConfirmDialog>
    </Page>
  );
}

/** A key that makes a repetition of the same request harmless; another request gets another one. */
function useKeyOf(text: string): string {
  const last = useRef({ text, key: crypto.randomUUID() as string });
  if (last.current.text !== text) last.current = { text, key: crypto.randomUUID() };
  return last.current.key;
}

/** Problems of single fields are shown there. */
const Failure = ({ error }: { readonly error: Error }) => {
  const problems = error instanceof ApiError ? error.problems.filter(({ field }) => !shown.has(field)) : [];
  if (error instanceof ApiError && error.problems.length > 0 && problems.length === 0) return null;
  return (
    <ErrorNote
      {...noteOf(error)}
      message={problems.length > 0 ? problems.map(({ field, message }) => `${field}: ${message}`).join(' ') : error.message}
    />
  );
};
const shown = new Set([
  'to',
  'channel',
  'message',
  'subject',
  'html',
  'title',
  'action_url',
  'template_id',
  'send_at',
  'webhook_url',
  'contact_id',
  'data',
]);

export const page = createLazyRoute('/signed-in/messages/send')({ component: SendPage });
