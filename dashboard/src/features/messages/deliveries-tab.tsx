import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api, type Schemas } from '../../api/client.ts';
import { noteOf } from '../../api/errors.ts';
import { useMay } from '../../api/session.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { Empty, ErrorNote, Loading } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toast.tsx';
import { durationWords } from './duration.ts';
import styles from './messages.module.css';
import { deliveryQuery, messageDeliveriesQuery } from './queries.ts';

type Delivery = Schemas['WebhookDelivery'];

/** What was told to the webhook of the message, with each attempt. */
export function DeliveriesTab({ id, hasWebhook }: { readonly id: string; readonly hasWebhook: boolean }) {
  const { data, error, refetch } = useQuery(messageDeliveriesQuery(id));
  if (!data) return error ? <ErrorNote {...noteOf(error)} onRetry={() => void refetch()} /> : <Loading />;
  if (data.data.length === 0) return <NoDeliveries hasWebhook={hasWebhook} />;
  return (
    <ul className={styles.deliveries}>
      {data.data.map((delivery) => (
        <DeliveryItem key={delivery.id} delivery={delivery} />
      ))}
    </ul>
  );
}

const NoDeliveries = ({ hasWebhook }: { readonly hasWebhook: boolean }) => (
  <Empty
    title={hasWebhook ? <Trans>Nothing to report yet</Trans> : <Trans>This message has no webhook</Trans>}
    actions={
      <a href="/docs/guides/webhooks">
        <Trans>Guide: webhooks</Trans>
      </a>
    }
  >
    {hasWebhook ? (
      <Trans>Each change of status is sent to its webhook and appears here.</Trans>
    ) : (
      <Trans>A message that is sent with a webhook address reports each change of its status there, and each attempt is shown here.</Trans>
    )}
  </Empty>
);

const tones: Readonly<Record<Delivery['status'], Tone>> = { pending: 'info', delivered: 'success', failed: 'danger', erased: 'neutral' };

function DeliveryItem({ delivery }: { readonly delivery: Delivery }) {
  const { t } = useLingui();
  const mayWrite = useMay('webhooks:write');
  const { id, message_id, event, status, url, attempts, next_attempt_at } = delivery;
  const names: Readonly<Record<Delivery['status'], string>> = {
    pending: t`Tries again`,
    delivered: t`Delivered`,
    failed: t`Failed`,
    erased: t`Erased`,
  };
  return (
    <li className={styles.delivery}>
      <div className={styles.deliveryHead}>
        <h2 className={styles.heading}>{event}</h2>
        <Badge tone={tones[status]}>{names[status]}</Badge>
        {mayWrite && <SendAgain messageId={message_id} deliveryId={id} />}
      </div>
      <p className={styles.reason}>
        <code className={styles.wrap}>{url}</code>
      </p>
      {next_attempt_at !== null && (
        <p className={styles.reason}>
          <Trans>
            Next attempt: <Time value={next_attempt_at} />
          </Trans>
        </p>
      )}
      <ol className={styles.attempts}>
        {attempts.map((attempt) => (
          <AttemptItem key={`${attempt.trigger} ${attempt.number}`} attempt={attempt} />
        ))}
      </ol>
      <RequestBody delivery={delivery} />
    </li>
  );
}

function AttemptItem({ attempt }: { readonly attempt: Schemas['DeliveryAttempt'] }) {
  const { i18n, t } = useLingui();
  const { number, trigger, at, status_code, error, duration_ms, response_body } = attempt;
  const isSuccess = status_code !== null && status_code >= 200 && status_code < 300;
  return (
    <li>
      <p className={styles.attempt}>
        <Badge tone={isSuccess ? 'success' : 'danger'}>{status_code ?? error?.code ?? t`No answer`}</Badge>
        <span>{trigger === 'manual' ? <Trans>by hand, {number}</Trans> : <Trans>attempt {number}</Trans>}</span>
        <Time value={at} />
        <span>{durationWords(duration_ms, i18n.locale)}</span>
      </p>
      {error && <p className={styles.reason}>{error.message}</p>}
      {response_body && <Code text={response_body} label={t`Answer`} />}
    </li>
  );
}

function SendAgain({ messageId, deliveryId }: { readonly messageId: string; readonly deliveryId: string }) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const again = useMutation({
    mutationFn: () =>
      answer(
        api.POST('/v1/messages/{id}/webhook-deliveries/{delivery_id}/redeliver', { params: { path: { id: messageId, delivery_id: deliveryId } } }),
      ),
    onSuccess: () => toast({ message: t`The webhook is sent again.`, tone: 'success' }),
    onError: (error) => toast({ message: error.message, tone: 'danger' }),
    onSettled: () => queries.invalidateQueries({ queryKey: messageDeliveriesQuery(messageId).queryKey }),
  });
  return (
    <Button size="small" onPress={() => again.mutate()} isPending={again.isPending}>
      <Trans>Send again</Trans>
    </Button>
  );
}

/** The exact text that was signed and sent, loaded when one asks for it. */
function RequestBody({ delivery: { id, message_id, attempts } }: { readonly delivery: Delivery }) {
  const { t } = useLingui();
  const [isOpen, setIsOpen] = useState(false);
  const { data, error } = useQuery({ ...deliveryQuery(message_id, id), enabled: isOpen });
  return (
    <details onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>
        <Plural value={attempts.length} one="What was sent" other="What was sent each time" />
      </summary>
      {data ? (
        <Code text={data.request_body} label={t`Body of the request`} />
      ) : error ? (
        <ErrorNote {...noteOf(error)} />
      ) : (
        isOpen && <Loading rows={2} />
      )}
    </details>
  );
}
